package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;

/** A part of the value at a key. */
@Spi
public record KeyRange(StoreKey key, ByteRange range) {}
