package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The contract refuses stores that break it: each store below breaks it in one way. */
class StoreContractBitesTest {
  /** Gives the whole value, whatever its size. */
  private static final class Unbounded extends DelegatingStore {
    Unbounded(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return range instanceof ByteRange.Whole ? get(key) : super.get(key, range);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return super.getVersioned(key, range instanceof ByteRange.Whole ? null : range, condition);
    }
  }

  /** Cuts a value that is too large. */
  private static final class Cutting extends DelegatingStore {
    Cutting(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return range instanceof ByteRange.Whole whole
          ? get(key).map(value -> value.slice(0, (int) Math.min(value.size(), whole.maxBytes())))
          : super.get(key, range);
    }
  }

  /** Says of a range outside of the value only that something failed. */
  private static final class Vague extends DelegatingStore {
    Vague(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return super.get(key, range)
          .onErrorMap(
              RangeOutOfBoundsException.class,
              e -> new StoreException("it failed", Location.ofKey(key.value()), e));
    }
  }

  /** Gives the bytes of a range that are there. */
  private static final class Shortening extends DelegatingStore {
    Shortening(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return range instanceof ByteRange.Slice slice
          ? get(key)
              .map(
                  value -> {
                    long from = Math.min(value.size(), slice.offset());
                    long to = Math.min(value.size(), from + slice.length());
                    return value.slice((int) from, (int) (to - from));
                  })
          : super.get(key, range);
    }
  }

  /** Says that it has stored a value, and has not, once. */
  private static final class Forgetful extends DelegatingStore {
    private final AtomicInteger sets = new AtomicInteger();

    Forgetful(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return Mono.defer(
          () -> sets.incrementAndGet() == 5 ? Mono.empty() : super.set(key, value, precondition));
    }
  }

  /**
   * Stores a value also where its condition does not hold. The first two reads are answered
   * together, so that two changes are made to the same state.
   */
  private static final class Unconditional extends DelegatingStore {
    private final AtomicInteger reads = new AtomicInteger();
    private final Sinks.Empty<Void> twoHaveRead = Sinks.empty();

    Unconditional(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return super.getVersioned(key, range, condition)
          .delayUntil(
              read -> {
                if (reads.incrementAndGet() == 2) {
                  twoHaveRead.tryEmitEmpty();
                }
                return twoHaveRead.asMono();
              });
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return super.set(key, value);
    }
  }

  private static void assertBroken(UnaryOperator<Store> broken, Consumer<StoreContract> test) {
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> run(broken, test));
    assertThatCode(() -> run(store -> store, test)).doesNotThrowAnyException();
  }

  private static void run(UnaryOperator<Store> of, Consumer<StoreContract> test) {
    StoreContract contract =
        new StoreContract() {
          @Override
          protected Store createStore() {
            return of.apply(MemoryStore.create());
          }
        };
    contract.create();
    test.accept(contract);
  }

  @Test
  void a_store_that_ignores_the_bound_is_found_out() {
    assertBroken(
        Unbounded::new, StoreReadContract::a_whole_value_above_the_bound_is_refused_with_its_key);
    assertBroken(Unbounded::new, StoreReadContract::a_bounded_read_with_a_version_is_bounded_too);
  }

  @Test
  void a_store_that_hides_that_a_range_is_outside_of_the_value_is_found_out() {
    Consumer<StoreContract> test =
        StoreReadContract
            ::a_range_beyond_the_end_is_an_error_that_names_the_key_and_never_a_short_value;
    assertBroken(Vague::new, test);
    assertBroken(Shortening::new, test);
  }

  @Test
  void a_store_that_loses_an_update_is_found_out() {
    Consumer<StoreContract> test =
        StoreVersionContract::nothing_is_lost_when_many_change_a_value_on_condition;
    assertBroken(Forgetful::new, test);
    assertBroken(Unconditional::new, test);
  }

  @Test
  void a_store_that_cuts_at_the_bound_is_found_out() {
    assertBroken(
        Cutting::new, StoreReadContract::a_whole_value_above_the_bound_is_refused_with_its_key);
  }
}
