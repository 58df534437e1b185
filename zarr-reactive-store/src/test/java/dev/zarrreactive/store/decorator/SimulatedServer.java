package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A server in virtual time: refuses what is too much, and sends through a line of some width. */
final class SimulatedServer extends AbstractStore {
  final AtomicInteger inFlight = new AtomicInteger();
  final AtomicInteger mostInFlight = new AtomicInteger();
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger();
  volatile int capacity = Integer.MAX_VALUE;
  volatile boolean refusesAtOnce;

  private final VirtualTimeScheduler time;
  private final Duration latency;
  private final Duration sending;
  private long lineFreeAt;

  /** Answers after {@code latency}, of which {@code sending} takes the line for itself. */
  SimulatedServer(VirtualTimeScheduler time, Duration latency, Duration sending) {
    this.time = time;
    this.latency = latency;
    this.sending = sending;
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return Mono.defer(
        () -> {
          asked.incrementAndGet();
          if (inFlight.get() >= capacity) {
            return refusal(key); // takes no place
          }
          mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
          return answer()
              .doOnTerminate(inFlight::decrementAndGet)
              .doOnCancel(inFlight::decrementAndGet);
        });
  }

  private Mono<Bytes> refusal(StoreKey key) {
    refused.incrementAndGet();
    Mono<Bytes> error =
        Mono.error(() -> new TransientStoreException("503", Location.ofKey(key.value())));
    return refusesAtOnce ? error : Mono.delay(latency).then(error);
  }

  private synchronized Mono<Bytes> answer() {
    long now = time.now(TimeUnit.NANOSECONDS);
    lineFreeAt = Math.max(now, lineFreeAt) + sending.toNanos();
    long whenSent = Math.max(lineFreeAt - now, 0);
    return Mono.delay(Duration.ofNanos(Math.max(latency.toNanos(), whenSent)))
        .thenReturn(Bytes.EMPTY);
  }

  @Override
  public String toString() {
    return "SimulatedServer";
  }
}
