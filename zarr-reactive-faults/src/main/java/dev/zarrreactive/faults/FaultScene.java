package dev.zarrreactive.faults;

import dev.zarrreactive.faults.FaultRow.Cell;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One trial while it runs: what a fault may use, and where it strikes. */
final class FaultScene {
  private final FaultMatrix matrix;
  private final FaultyServer server;
  private final Cell cell;
  private final AtomicLong strikes = new AtomicLong();
  private final AtomicInteger versions = new AtomicInteger();
  private final MatrixArray array;
  private volatile boolean refused;

  FaultScene(FaultMatrix matrix, FaultyServer server, Cell cell, MatrixArray array) {
    this.matrix = matrix;
    this.server = server;
    this.cell = cell;
    this.array = array;
  }

  /** What this kind of server answers with such a status. */
  Fault status(int status, @Nullable String retryAfter) {
    return matrix.status(status, retryAfter);
  }

  /** A number of bytes that is only a small part of what is asked for. */
  long few() {
    return cell.place().few();
  }

  /** How many requests met the fault before. */
  long strikes() {
    return strikes.get();
  }

  /** Instead of a fault: the server is gone. */
  Fault refused() {
    refused = true;
    return Fault.NONE;
  }

  /** Puts other values into the place of those that are there. */
  Mono<Void> replaced() {
    return Mono.<Void>fromRunnable(
            () ->
                array
                    .replaced(versions.incrementAndGet())
                    .values()
                    .forEach(
                        (key, value) -> {
                          if (key.equals(array.key(cell.place()))) {
                            matrix.seed(key, value);
                          }
                        }))
        .subscribeOn(Schedulers.boundedElastic());
  }

  /** The array as it is now. */
  MatrixArray array() {
    return array.replaced(versions.get());
  }

  /** Lets the fault happen from now on, where and as often as the trial wants it. */
  void strike() {
    Fault fault = cell.row().fault().apply(this);
    if (refused) {
      server.stop();
      return;
    }
    long most = cell.occurrence().times();
    long requests = most == Long.MAX_VALUE ? most : most * cell.row().requests();
    server.misbehave(
        (asked, behaviour) -> {
          if (!isMeant(asked)) {
            return behaviour;
          }
          synchronized (this) {
            Behaviour changed =
                strikes.get() < requests ? fault.apply(asked, behaviour) : behaviour;
            strikes.incrementAndGet();
            return changed;
          }
        });
  }

  /** True for a request that the fault is for. */
  boolean isMeant(ReceivedRequest asked) {
    String key = array.key(cell.place());
    return (asked.path().equals(key) || asked.path().endsWith("/" + key))
        && cell.place().isOf(asked);
  }

  /** The keys of which an error may be: of all where the server is gone. */
  Set<String> keys() {
    return refused ? array.values().keySet() : Set.of(array.key(cell.place()));
  }

  /** True where the server is gone. */
  boolean isRefused() {
    return refused;
  }
}
