package dev.zarrreactive.s3;

/**
 * How large a value is, and of which version that is.
 *
 * @param total its bytes
 */
record Size(long total, Tag tag) {}
