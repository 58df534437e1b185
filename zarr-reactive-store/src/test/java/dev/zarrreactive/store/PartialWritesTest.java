package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Parts that are written by a conditional write of the whole value. */
class PartialWritesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final StoreKey KEY = StoreKey.of("a/b");

  private final MemoryStore memory = MemoryStore.create();
  private final AtomicInteger reads = new AtomicInteger();

  private static Mono<Void> write(Store store) {
    return store.setPartialValues(List.of(new KeyStartValue(KEY, 2, Bytes.utf8("c"))));
  }

  /** Another program changes the value after each of the first reads. */
  private Store changedBetween(int times) {
    return new DelegatingStore(memory) {
      @Override
      public Mono<VersionedBytes> getVersioned(
          StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
        return super.getVersioned(key, range, condition)
            .delayUntil(
                read -> {
                  int number = reads.incrementAndGet();
                  return number <= times
                      ? memory.set(KEY, Bytes.utf8(number + "2345"))
                      : Mono.empty();
                });
      }
    };
  }

  @Test
  void a_value_that_another_program_has_changed_meanwhile_is_read_again() {
    memory.set(KEY, Bytes.utf8("12345")).block(TIMEOUT);
    write(changedBetween(3)).block(TIMEOUT);
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("32c45"));
    assertThat(reads).hasValue(4);
  }

  @Test
  void a_value_that_another_program_keeps_changing_is_left_as_that_program_writes_it() {
    memory.set(KEY, Bytes.utf8("12345")).block(TIMEOUT);
    Throwable error = catchThrowable(() -> write(changedBetween(1000)).block(TIMEOUT));
    assertThat(error)
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("in each of 32 attempts")
        .hasMessageContaining("a/b");
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("322345"));
  }

  @Test
  void a_value_that_another_program_creates_meanwhile_is_not_replaced() {
    Store store =
        new DelegatingStore(memory) {
          @Override
          public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
            return reads.getAndIncrement() == 0
                ? memory.set(key, Bytes.utf8("12345")).then(super.set(key, value, precondition))
                : super.set(key, value, precondition);
          }
        };
    write(store).block(TIMEOUT);
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("12c45"));
  }

  @Test
  void parts_wait_for_another_writer_of_the_key_in_this_process() {
    memory.set(KEY, Bytes.utf8("12345")).block(TIMEOUT);
    Store store = changedBetween(0);
    Sinks.Empty<Void> other = Sinks.empty();
    StepVerifier.create(KeyLocks.exclusively(store, KEY, lock -> other.asMono()))
        .then(() -> write(store).subscribe())
        .then(() -> assertThat(reads).hasValue(0))
        .then(other::tryEmitEmpty)
        .expectComplete()
        .verify(TIMEOUT);
    write(store).block(TIMEOUT);
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("12c45"));
    assertThat(reads).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "WRITE", "VERSIONS", "CONDITIONAL_WRITE"})
  void a_store_that_cannot_write_parts_safely_names_what_it_lacks(StoreCapability lacking) {
    memory.set(KEY, Bytes.utf8("12345")).block(TIMEOUT);
    Set<StoreCapability> rest = EnumSet.complementOf(EnumSet.of(lacking));
    Store store =
        new DelegatingStore(memory) {
          @Override
          public Set<StoreCapability> capabilities() {
            return rest;
          }
        };
    assertThat(catchThrowable(() -> write(store).block(TIMEOUT)))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("cannot write parts of values: it lacks " + lacking);
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("12345"));
  }

  @Test
  void a_value_of_an_unknown_version_is_refused() {
    memory.set(KEY, Bytes.utf8("12345")).block(TIMEOUT);
    Store store =
        new DelegatingStore(memory) {
          @Override
          public Mono<VersionedBytes> getVersioned(
              StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
            return super.get(key).map(bytes -> new VersionedBytes(bytes, null));
          }
        };
    assertThat(catchThrowable(() -> write(store).block(TIMEOUT)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("does not tell the version")
        .hasMessageContaining("a/b");
    assertThat(memory.get(KEY).block(TIMEOUT)).isEqualTo(Bytes.utf8("12345"));
  }
}
