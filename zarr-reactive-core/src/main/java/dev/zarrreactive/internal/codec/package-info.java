/**
 * The core codecs and {@code zstd}: {@code bytes}, {@code transpose}, {@code gzip}, {@code crc32c};
 * and of the registered ones {@code bitround}, {@code cast_value}, {@code packbits}, {@code
 * reshape} and {@code scale_offset}. One class a codec; what a codec is made of stands next to it,
 * under its name.
 */
@NullMarked
package dev.zarrreactive.internal.codec;

import org.jspecify.annotations.NullMarked;
