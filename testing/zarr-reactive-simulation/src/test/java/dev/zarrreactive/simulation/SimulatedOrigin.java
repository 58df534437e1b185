package dev.zarrreactive.simulation;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.simulation.OriginRequests.OriginRequest;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/**
 * A store far away: a request takes its way in virtual time, has its effect on the values when it
 * arrives, and is answered later. Faults befall requests by their number. A read that is cancelled
 * is over at once; a change that is cancelled arrives nevertheless. A restart loses the answers of
 * all requests that are under way, and refuses others until it is over. Of some runs requests need
 * {@link SimulatedKeys}.
 */
final class SimulatedOrigin extends AbstractStore {
  private static final Duration GIVEN_UP = Duration.ofSeconds(30);

  private final Simulation run;
  private final Store values;
  private final StoreKind kind;
  private final @Nullable SimulatedKeys keys;
  private final Set<Way<?>> underWay = new LinkedHashSet<>();

  /** A store of {@code values}, which answers in no time. */
  SimulatedOrigin(Simulation run, Store values, StoreKind kind) {
    this.run = run;
    this.values = values;
    this.kind = kind;
    this.keys = SimulatedKeys.of(run);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return kind.capabilities();
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return request("get", key.value(), values.get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return request("get " + range, key.value(), values.get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return kind.hasVersions()
        ? request(
            "get " + (range == null ? "" : range + " ") + condition,
            key.value(),
            values.getVersioned(key, range, condition))
        : super.getVersioned(key, range, condition);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return precondition.equals(Precondition.NONE) || kind.hasConditions()
        ? change("set", key.value(), values.set(key, value, precondition))
        : Mono.error(() -> refusal(StoreCapability.CONDITIONAL_WRITE, "set on condition", key));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return change("erase", key.value(), values.erase(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return capabilities().contains(StoreCapability.CONDITIONAL_ERASE)
        ? change("erase " + version, key.value(), values.erase(key, version))
        : super.erase(key, version);
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return change("erase below", prefix.value(), values.erasePrefix(prefix));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return request("list", prefix.value(), values.listPrefix(prefix).collectList())
        .flatMapIterable(keys -> keys);
  }

  /** Tells sizes and times where garbage is collected by them. */
  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return kind == StoreKind.COMMITS
        ? request("list", prefix.value(), values.listValues(prefix).collectList())
            .flatMapIterable(entries -> entries)
        : super.listValues(prefix);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return request("list directory", prefix.value(), values.listDir(prefix).collectList())
        .flatMapIterable(entries -> entries);
  }

  @Override
  public String toString() {
    return "SimulatedOrigin";
  }

  private <T> Mono<T> request(String verb, String target, Mono<T> effect) {
    throwIfPlanned(verb, target);
    return Mono.create(sink -> new Way<>(verb, target, effect, sink, false).begin());
  }

  private Mono<Void> change(String verb, String target, Mono<Void> effect) {
    throwIfPlanned(verb, target);
    return Mono.create(sink -> new Way<>(verb, target, effect, sink, true).begin());
  }

  private void throwIfPlanned(String verb, String target) {
    if (run.isThrown()) {
      run.log(() -> verb + " " + target + " throws");
      throw new TransientStoreException("thrown", Location.ofKey(target));
    }
  }

  /** One request's way to the values and back. */
  private final class Way<T> {
    private final String verb;
    private final String target;
    private final Mono<T> effect;
    private final MonoSink<T> sink;
    private final boolean isChange;
    private Disposable.Composite events = Disposables.composite();
    private @Nullable OriginRequest request;
    private boolean isFaulty;
    private @Nullable HeldCredential key;
    private @Nullable RunningOperation owner;
    private int renewals;
    private @Nullable T answer;
    private @Nullable Throwable refusal;

    Way(String verb, String target, Mono<T> effect, MonoSink<T> sink, boolean isChange) {
      this.verb = verb;
      this.target = target;
      this.effect = effect;
      this.sink = sink;
      this.isChange = isChange;
    }

    void begin() {
      ContextView subscriber = sink.contextView();
      owner =
          subscriber.getOrDefault(RequestLimit.OPERATION, null) instanceof RunningOperation running
              ? running
              : null;
      OriginRequest begun = run.begin(verb, target, owner);
      request = begun;
      sink.onCancel(this::cancelled);
      underWay.add(this);
      if (keys == null) {
        send(run.fault(begun));
      } else {
        wait(keys, keys.current(), run.fault(begun));
      }
    }

    /** Sends the request when it has a key. */
    private void wait(
        SimulatedKeys keys, Mono<HeldCredential> wanted, @Nullable PlannedFault fault) {
      events.add(
          wanted
              .switchIfEmpty(Mono.error(() -> keys.refused(target)))
              .subscribe(
                  held -> {
                    key = held;
                    send(fault);
                  },
                  error -> {
                    isFaulty = true;
                    end("without a key");
                    sink.error(keys.located(error, target));
                  }));
    }

    private void send(@Nullable PlannedFault fault) {
      if (fault != null && fault.kind() == PlannedFault.Kind.RESTART) {
        run.goDown(Duration.ofMillis(fault.millis()).toNanos());
        List.copyOf(underWay).forEach(Way::lose);
        return;
      }
      long there = run.latency();
      long back = run.latency();
      if (run.isDown()) {
        isFaulty = true;
        failAfter(there, "refused", new ConnectException("Connection refused"));
        return;
      }
      if (fault == null) {
        arriveAfter(there, owner);
        answerAfter(there + back);
        return;
      }
      isFaulty = true;
      long millis = Duration.ofMillis(fault.millis()).toNanos();
      switch (fault.kind()) {
        case AT_ONCE -> {
          end("refused at once");
          sink.error(new TransientStoreException("refused at once", Location.ofKey(target)));
        }
        case THROWN -> throw new IllegalArgumentException("befalls a call: " + fault);
        case DELAY -> {
          arriveAfter(there + millis, owner);
          answerAfter(there + millis + back);
        }
        case UNAVAILABLE -> failAfter(there + back, "503 Slow Down", fault.millis());
        case CUT -> {
          if (!isChange || fault.isApplied()) {
            arriveAfter(there, owner);
          }
          failAfter(there + back + millis, "the connection was lost", 0);
        }
        case STALL -> {
          if (isChange && fault.isApplied()) {
            arriveAfter(there, owner);
          }
          run.requests().faulty(run.time().now()); // it may hold the only permit until its end
          failAfter(there + GIVEN_UP.toNanos(), "no byte for " + GIVEN_UP.toSeconds() + " s", 0);
        }
        case RESTART -> throw new IllegalStateException("restarts are handled before");
      }
    }

    private void arriveAfter(long nanos, @Nullable RunningOperation owner) {
      if (!isChange) {
        events.add(run.time().after(nanos, this::arrive));
        return;
      }
      if (owner != null) {
        owner.changeSent();
      }
      run.time() // a change that is on its way arrives, also where it was cancelled
          .after(
              nanos,
              () -> {
                arrive();
                if (owner != null) {
                  owner.changeArrived(run.time().now());
                }
              });
    }

    private void arrive() {
      if (keys != null && key != null && keys.hasExpired(key)) {
        run.log(() -> request + " arrives with a key that has expired");
        refusal = keys.refused(target);
        return;
      }
      run.log(() -> request + " arrives");
      effect.subscribe(value -> answer = value, error -> refusal = error);
    }

    private void answerAfter(long nanos) {
      events.add(
          run.time()
              .after(
                  nanos,
                  () -> {
                    if (keys != null && key != null) {
                      if (refusal instanceof AccessDeniedException) {
                        refusal = null;
                        wait(keys, keys.renewedAfter(key, renewals++), null);
                        return;
                      }
                      key.accepted();
                    }
                    String how = refusal == null ? "answered" : "refused";
                    end(how);
                    if (refusal != null) {
                      sink.error(refusal);
                    } else {
                      sink.success(answer);
                    }
                  }));
    }

    private void failAfter(long nanos, String what, long retryAfterMillis) {
      failAfter(
          nanos,
          what,
          new TransientStoreException(
              what,
              Location.ofKey(target),
              retryAfterMillis == 0 ? null : Duration.ofMillis(retryAfterMillis)));
    }

    private void failAfter(long nanos, String what, IOException cause) {
      failAfter(nanos, what, new TransientStoreException(what, Location.ofKey(target), cause));
    }

    private void failAfter(long nanos, String what, TransientStoreException error) {
      events.add(
          run.time()
              .after(
                  nanos,
                  () -> {
                    end(what);
                    sink.error(error);
                  }));
    }

    /** The server dies, and the connection with it; a change that was sent may have arrived. */
    private void lose() {
      isFaulty = true;
      events.dispose();
      events = Disposables.composite();
      failAfter(0, "lost", new IOException("Connection reset"));
    }

    private void end(String how) {
      underWay.remove(this);
      if (isFaulty) {
        run.endedByFault(request, how);
      } else {
        run.end(request, how);
      }
    }

    private void cancelled() {
      events.dispose();
      end("cancelled");
    }
  }
}
