package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.store.ReadCondition;
import org.jspecify.annotations.Nullable;

/**
 * One GET of a {@link ResumableRead}.
 *
 * @param range the header {@code Range}; null for the whole value
 * @param condition on the version of the value
 * @param resumes true for the rest of a body that was cut: the condition requires its version
 */
public record RangeRequest(@Nullable String range, ReadCondition condition, boolean resumes) {}
