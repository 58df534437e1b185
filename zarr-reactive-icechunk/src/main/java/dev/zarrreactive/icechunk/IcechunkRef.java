package dev.zarrreactive.icechunk;

/**
 * A branch or a tag.
 *
 * @param snapshot the id of its snapshot, 20 characters
 */
public record IcechunkRef(String name, String snapshot) {}
