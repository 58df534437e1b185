package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.ValueModel.Write;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/** An operation under way, and its consumer. Its requests carry it in their context. */
final class RunningOperation {
  private final Simulation run;
  private final PlannedOperation plan;
  private final String name;
  private final OperationJudge judge;
  private final Runnable whenOver;
  private final Consumer consumer = new Consumer();
  private @Nullable Write write;
  private State state = State.PLANNED;
  private long began;
  private long oldestBegan;
  private long ended = Long.MAX_VALUE;
  private long requested;
  private long received;
  private int gets;
  private int changesOnTheirWay;
  private int inside;

  private enum State {
    PLANNED,
    RUNNING,
    COMPLETE,
    FAILED,
    CANCELLED
  }

  /**
   * An operation that is to begin.
   *
   * @param whenOver called when it has ended, in whatever way
   */
  RunningOperation(Simulation run, PlannedOperation plan, String name, Runnable whenOver) {
    this.run = run;
    this.plan = plan;
    this.name = name;
    this.whenOver = whenOver;
    this.judge = new OperationJudge(run, this);
  }

  PlannedOperation plan() {
    return plan;
  }

  void begin(Flux<?> work) {
    state = State.RUNNING;
    began = run.time().now();
    oldestBegan = began;
    oldestBegan = run.oldestUnderWay(plan.array());
    run.moved();
    run.log(() -> this + " begins: " + plan);
    if (plan.kind().changes()) {
      write = run.model(plan.array()).begin(plan, plan.box(), began);
    }
    if (plan.cancelMicros() >= 0) {
      run.time().after(plan.cancelMicros() * 1000, this::cancel);
    }
    work.subscribe(consumer);
  }

  long began() {
    return began;
  }

  /** Returns when the oldest read began that was under way when this one did. */
  long oldestBegan() {
    return oldestBegan;
  }

  boolean isUnderWay() {
    return state == State.RUNNING;
  }

  boolean isOver() {
    return state != State.PLANNED && state != State.RUNNING;
  }

  /** Returns true when it is over and the last of its changes has arrived. */
  boolean isSettled() {
    return isOver() && changesOnTheirWay == 0;
  }

  boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Returns true where nothing more is to come because its consumer has stopped. */
  boolean hasStopped() {
    return state == State.RUNNING && plan.pace().stops() && received >= plan.pace().stopAfter();
  }

  /** Returns true where its consumer has asked for something that has not come. */
  boolean asks() {
    return state == State.RUNNING && requested > received;
  }

  /** Returns true where it ended at an earlier time than now. */
  boolean isLongOver() {
    return isOver() && ended < run.time().now();
  }

  /** Returns true where another operation's request may be its own, too. */
  boolean mayShare() {
    return state != State.PLANNED && !isLongOver();
  }

  long requested() {
    return requested;
  }

  /** Counts a read that the origin is asked for, and returns how many it was asked for. */
  int countGet() {
    return ++gets;
  }

  void changeSent() {
    changesOnTheirWay++;
  }

  void changeArrived(long now) {
    changesOnTheirWay--;
    if (isOver() && write != null && changesOnTheirWay == 0) {
      write.settled(now);
    }
  }

  void cancel() {
    if (state == State.RUNNING) {
      run.log(() -> this + " is cancelled");
      over(State.CANCELLED);
      consumer.cancel();
      whenOver.run();
    }
  }

  private void over(State how) {
    state = how;
    ended = run.time().now();
    run.moved();
    Write mine = write;
    if (mine != null) {
      mine.ended(ended, how == State.COMPLETE && run.isCertain(plan));
      if (changesOnTheirWay > 0) {
        mine.unsettled();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** Asks as the plan says. */
  private final class Consumer extends BaseSubscriber<Object> {
    @Override
    public Context currentContext() {
      return Context.of(
          dev.zarrreactive.store.decorator.RequestLimit.OPERATION, RunningOperation.this);
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      int batch = plan.pace().batch();
      if (batch == 0) {
        requested = Long.MAX_VALUE;
        requestUnbounded();
      } else if (plan.pace().stopAfter() != 0) {
        ask();
      }
    }

    @Override
    protected void hookOnNext(Object value) {
      received++;
      run.moved();
      run.log(() -> RunningOperation.this + " receives " + received);
      judge.next(value);
      Pace pace = plan.pace();
      if (pace.batch() > 0 && received == requested && !hasStopped()) {
        if (pace.readsInside()) {
          run.readInside(RunningOperation.this, inside++, this::ask);
        } else if (pace.pauseMicros() > 0) {
          run.time().after(pace.pauseMicros() * 1000, this::ask);
        } else {
          ask();
        }
      }
    }

    private void ask() {
      if (state == State.RUNNING) {
        long more = plan.pace().batch();
        requested += more;
        run.moved();
        request(more);
      }
    }

    @Override
    protected void hookOnComplete() {
      run.log(() -> RunningOperation.this + " completes");
      over(State.COMPLETE);
      judge.complete();
      whenOver.run();
    }

    @Override
    protected void hookOnError(Throwable error) {
      run.log(() -> RunningOperation.this + " fails: " + error);
      over(State.FAILED);
      judge.failed(error);
      whenOver.run();
    }

    @Override
    protected void hookFinally(SignalType type) {
      // the ends are told apart above
    }
  }
}
