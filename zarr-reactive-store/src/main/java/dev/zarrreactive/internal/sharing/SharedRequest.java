package dev.zarrreactive.internal.sharing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A single-flight request and its subscribers. Its outcome is told to all of them: the answer, even
 * an empty one, or the failure, of which each gets a copy. Later subscribers receive the same
 * answer, but no failure: {@link #tryJoin} returns null then, and the caller makes another request.
 *
 * <p>The first subscription starts the source, and the cancel of the last subscriber before the
 * outcome cancels it. A request without a source is made by its owner, who tells the outcome.
 *
 * <p>Signals arrive on the thread that tells the outcome, outside of any lock; a subscriber that
 * joins after the answer gets it on its own thread.
 */
public final class SharedRequest<T> {
  /**
   * Is told the outcome of a request, once, on the thread of that event and outside of any lock.
   */
  public interface Owner<T> {
    /** Receives the answer before the subscribers do; null if it is empty. */
    default void answered(SharedRequest<T> request, @Nullable T answer) {}

    /** Is called when the request has failed, before the subscribers receive the error. */
    default void failed(SharedRequest<T> request) {}

    /**
     * Is called when the last subscriber has cancelled, before the source is cancelled. No other
     * call follows.
     */
    default void abandoned(SharedRequest<T> request) {}
  }

  private enum State {
    OPEN,
    ANSWERED,
    FAILED,
    ABANDONED
  }

  private final Owner<T> owner;
  private final @Nullable Mono<T> source;
  private final List<Waiter> waiting = new ArrayList<>(2);

  /** The subscribers before the outcome, with those that have joined and not subscribed yet. */
  private int joined;

  private State state = State.OPEN;
  private @Nullable Request request;
  private @Nullable T answer;
  private @Nullable Throwable failure;

  /** Creates a request that subscribes to {@code source} at most once. */
  public SharedRequest(Mono<T> source, Owner<T> owner) {
    this.source = source;
    this.owner = owner;
  }

  /** Creates a request without an owner. */
  public SharedRequest(Mono<T> source) {
    this(source, new Owner<>() {});
  }

  /** Creates a request that its owner makes, and tells of. */
  public SharedRequest() {
    this.source = null;
    this.owner = new Owner<>() {};
  }

  /**
   * Joins the request; null if it has failed or was abandoned. The caller counts as a subscriber at
   * once, so it must subscribe to the result exactly once. A missing subscription would keep the
   * request alive after all other subscribers have cancelled. A second subscription fails with
   * {@link IllegalStateException}.
   */
  public synchronized @Nullable Mono<T> tryJoin() {
    if (state == State.ANSWERED) {
      return Mono.justOrEmpty(answer);
    }
    if (state != State.OPEN) {
      return null;
    }
    joined++;
    return new Joined();
  }

  /** Tells all subscribers the answer; null for an empty one. Has no effect after an outcome. */
  public void answer(@Nullable T value) {
    List<Waiter> all;
    synchronized (this) {
      if (state != State.OPEN) {
        return;
      }
      state = State.ANSWERED;
      answer = value;
      all = List.copyOf(waiting);
      waiting.clear();
    }
    try {
      owner.answered(this, value);
    } catch (RuntimeException | Error e) {
      all.forEach(each -> each.onError(e));
      return;
    }
    for (Waiter each : all) {
      each.tell(value);
    }
  }

  /** Tells all subscribers that the request has failed. Has no effect after an outcome. */
  public void fail(Throwable error) {
    List<Waiter> all;
    synchronized (this) {
      if (state != State.OPEN) {
        return;
      }
      state = State.FAILED;
      failure = error;
      all = List.copyOf(waiting);
      waiting.clear();
    }
    owner.failed(this);
    for (Waiter each : all) {
      if (!each.isCancelled()) { // an earlier one may have cancelled it
        each.onError(SharedFailure.forOne(error));
      }
    }
  }

  /** Adds a subscriber; returns the subscription that begins for the first one, or else null. */
  private @Nullable Request add(Waiter waiter) {
    State now;
    Request begun = null;
    synchronized (this) {
      now = state;
      if (now == State.OPEN && !waiter.hasLeft) {
        waiting.add(waiter);
        if (source != null && request == null) {
          begun = new Request(waiter.currentContext());
          request = begun;
        }
      }
    }
    if (now == State.ANSWERED) {
      waiter.tell(answer);
    } else if (now == State.FAILED && failure != null) {
      waiter.onError(SharedFailure.forOne(failure));
    }
    return begun;
  }

  private void leave(Waiter waiter) {
    Request abandoned;
    synchronized (this) {
      if (waiter.hasLeft || state != State.OPEN) {
        return;
      }
      waiter.hasLeft = true;
      waiting.remove(waiter);
      joined--;
      if (joined > 0 || source == null) {
        return;
      }
      state = State.ABANDONED;
      abandoned = request;
    }
    owner.abandoned(this);
    if (abandoned != null) {
      abandoned.cancel();
    }
  }

  private synchronized boolean isAbandoned() {
    return state == State.ABANDONED;
  }

  /** The place of one subscriber. */
  private final class Joined extends Mono<T> {
    private final AtomicBoolean isTaken = new AtomicBoolean();

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      if (!isTaken.compareAndSet(false, true)) {
        Operators.error(actual, new IllegalStateException("join again to wait again"));
        return;
      }
      Waiter waiter = new Waiter(actual);
      actual.onSubscribe(waiter);
      Request begun = add(waiter);
      if (begun != null && source != null && !isAbandoned()) {
        source.subscribe(begun);
      }
    }
  }

  private final class Waiter extends Operators.MonoSubscriber<T, T> {
    private boolean hasLeft;

    Waiter(CoreSubscriber<? super T> actual) {
      super(actual);
    }

    void tell(@Nullable T value) {
      if (value == null) {
        onComplete();
      } else {
        complete(value);
      }
    }

    @Override
    public void cancel() {
      super.cancel();
      leave(this);
    }
  }

  /** The subscription to the source. */
  private final class Request implements CoreSubscriber<T> {
    private final Context context;
    private volatile @Nullable Subscription subscription;

    Request(Context context) {
      this.context = context;
    }

    void cancel() {
      Subscription open = subscription;
      if (open != null) {
        open.cancel();
      }
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      if (isAbandoned()) {
        given.cancel();
      } else {
        given.request(Long.MAX_VALUE);
      }
    }

    @Override
    public void onNext(T value) {
      answer(value);
    }

    @Override
    public void onError(Throwable error) {
      fail(error);
    }

    @Override
    public void onComplete() {
      answer(null);
    }
  }
}
