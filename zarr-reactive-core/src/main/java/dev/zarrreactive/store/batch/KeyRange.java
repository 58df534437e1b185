package dev.zarrreactive.store.batch;

import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.StoreKey;

/** A part of the value at a key. */
public record KeyRange(StoreKey key, ByteRange range) {}
