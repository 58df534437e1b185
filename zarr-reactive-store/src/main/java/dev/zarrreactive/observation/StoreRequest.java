package dev.zarrreactive.observation;

import dev.zarrreactive.base.ByteRange;
import org.jspecify.annotations.Nullable;

/**
 * One request to a store: one subscription to one operation.
 *
 * @param id a number that is unique among the observed requests of this process
 * @param operation the operation
 * @param target the key, of a value or of an object in which values lie, or the prefix; empty for
 *     {@link StoreOperation#LIST}
 * @param range the part of the value; null unless the operation is {@link StoreOperation#GET_RANGE}
 */
public record StoreRequest(
    long id, StoreOperation operation, String target, @Nullable ByteRange range) {}
