package dev.zarrreactive.store.file;

/**
 * A hidden file that a writer left in a directory when it died. It is no part of any value.
 *
 * @param path below the directory of the store, with slashes
 * @param size in bytes
 */
public record Leftover(String path, long size) {}
