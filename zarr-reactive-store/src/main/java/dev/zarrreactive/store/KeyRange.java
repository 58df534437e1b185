package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;

/** A part of the value at a key. */
public record KeyRange(StoreKey key, ByteRange range) {}
