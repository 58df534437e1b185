package dev.zarrreactive.internal.threads;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The offer of a subscriber to borrow the bytes that it reads, in its context. A store that takes
 * the offer lends the bytes for the time of {@code onNext}, on a thread on which the subscriber may
 * decode them, and uses their memory again after that.
 */
public final class Loan {
  private final Object lender;
  private volatile boolean isTaken;

  /**
   * Creates an offer for one request.
   *
   * @param lender the store that may take the offer: one below it would lend to a store in between,
   *     which may keep the bytes
   */
  public Loan(Object lender) {
    this.lender = lender;
  }

  /** Returns the context of a subscriber with this offer. */
  public Context in(Context subscriber) {
    return subscriber.put(Loan.class, this);
  }

  /** Takes the offer of a subscriber to a store; returns false where there is none. */
  static boolean tryTake(ContextView subscriber, Object lender) {
    Loan offer = subscriber.getOrDefault(Loan.class, null);
    if (offer == null || offer.lender != lender) {
      return false;
    }
    offer.isTaken = true;
    return true;
  }

  /** Returns true if the bytes that arrive are lent. */
  public boolean isTaken() {
    return isTaken;
  }
}
