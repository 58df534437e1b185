package dev.zarrreactive.store;

/** A part of the value at a key. */
public record KeyRange(StoreKey key, ByteRange range) {}
