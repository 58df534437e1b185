package dev.zarrreactive.internal.context;

import dev.zarrreactive.store.decorator.RequestLimit;
import reactor.util.context.Context;

/** The mark that the requests of one operation carry, so that operations take turns. */
public final class OperationMark {
  private OperationMark() {}

  /** Returns the context with the mark of a new operation, unless it has a mark. */
  public static Context add(Context context) {
    return context.hasKey(RequestLimit.OPERATION)
        ? context
        : context.put(RequestLimit.OPERATION, new Object());
  }
}
