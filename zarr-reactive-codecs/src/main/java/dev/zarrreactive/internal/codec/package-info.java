/**
 * The codecs {@code bytes}, {@code crc32c}, {@code conditional}, {@code packbits} and {@code
 * reshape}. Each family of codecs has a package below this one.
 */
@NullMarked
package dev.zarrreactive.internal.codec;

import org.jspecify.annotations.NullMarked;
