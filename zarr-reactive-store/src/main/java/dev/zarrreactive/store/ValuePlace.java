package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.spi.Spi;

/**
 * Where a value lies: in a part of an object.
 *
 * @param range of the bytes of the whole value in the object
 */
@Spi
public record ValuePlace(StoredObject object, ByteRange.Slice range) {}
