package dev.zarrreactive.internal.sharing;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Marks a conditional write whose caller finds out by itself what became of it, after an error of
 * any kind: a store need not look at the value for it.
 */
public final class OwnSettlement {
  private static final Class<OwnSettlement> KEY = OwnSettlement.class;

  private OwnSettlement() {}

  /** Returns the context of such a write. */
  public static Context write(Context context) {
    return context.put(KEY, true);
  }

  /** Returns true for the subscriber of such a write. */
  public static boolean isIn(ContextView subscriber) {
    return subscriber.hasKey(KEY);
  }
}
