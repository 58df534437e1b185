package dev.zarrreactive.http;

import org.jspecify.annotations.Nullable;

/**
 * How large a value is.
 *
 * @param total its bytes
 * @param tag its ETag, weak or strong; null where it has none
 */
record Size(long total, @Nullable String tag) {}
