/**
 * The codecs {@code gzip} and {@code zstd}, and the buffers and pools that all compressing codecs
 * use.
 */
@NullMarked
package dev.zarrreactive.internal.codec.compression;

import org.jspecify.annotations.NullMarked;
