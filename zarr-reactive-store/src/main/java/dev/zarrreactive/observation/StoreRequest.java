package dev.zarrreactive.observation;

import dev.zarrreactive.base.ByteRange;
import org.jspecify.annotations.Nullable;

/**
 * One request to a store: one subscription to one operation.
 *
 * @param id unlike that of every other observed request of this process
 * @param operation what is asked for
 * @param target the key or the prefix; for operations on many keys their number in words where it
 *     is known, such as {@code 12 key ranges}, otherwise empty
 * @param range the part of the value, for {@link StoreOperation#GET_RANGE} alone
 */
public record StoreRequest(
    long id, StoreOperation operation, String target, @Nullable ByteRange range) {}
