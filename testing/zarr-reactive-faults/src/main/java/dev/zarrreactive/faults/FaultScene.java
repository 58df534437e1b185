package dev.zarrreactive.faults;

import dev.zarrreactive.faults.FaultRow.Cell;
import dev.zarrreactive.faults.server.Behaviour;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The state of a running trial, for its fault: the server, the array and the requests to strike.
 */
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

  /** Returns the response of this kind of server with a status. */
  Fault status(int status, @Nullable String retryAfter) {
    return matrix.status(status, retryAfter);
  }

  /** Returns a number of bytes that is a small part of the requested ones. */
  long few() {
    return cell.place().few();
  }

  /** Returns the number of requests that met the fault. */
  long strikes() {
    return strikes.get();
  }

  /** Stops the server, instead of a fault. */
  Fault refused() {
    refused = true;
    return Fault.NONE;
  }

  /** Replaces the value at the place of the trial. */
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

  /** Returns the array with its present values. */
  MatrixArray array() {
    return array.replaced(versions.get());
  }

  /** Begins the fault, at the place of the trial and as often as its occurrence says. */
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

  /** Returns true for a request at the place of the trial. */
  boolean isMeant(ReceivedRequest asked) {
    String key = array.key(cell.place());
    return (asked.path().equals(key) || asked.path().endsWith("/" + key))
        && cell.place().isOf(asked);
  }

  /** Returns the keys that an error may name: all keys where the server is gone. */
  Set<String> keys() {
    return refused ? array.values().keySet() : Set.of(array.key(cell.place()));
  }

  /** Returns true where the server is gone. */
  boolean isRefused() {
    return refused;
  }
}
