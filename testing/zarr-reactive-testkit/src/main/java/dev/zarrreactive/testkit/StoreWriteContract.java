package dev.zarrreactive.testkit;

import static dev.zarrreactive.store.StoreCapability.CONDITIONAL_WRITE;
import static dev.zarrreactive.store.StoreCapability.VERSIONS;
import static dev.zarrreactive.store.StoreCapability.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.KeyStartValue;
import dev.zarrreactive.store.Precondition;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Writing values and parts of them. */
abstract class StoreWriteContract extends StorePartialReadContract {
  private static final int SETTERS = 16;

  StoreWriteContract() {}

  @Test
  void a_value_is_replaced_as_a_whole() {
    needs(WRITE);
    set("a/b", ten());
    set("a/b", bytes(7, 7));
    assertThat(get("a/b")).isEqualTo(bytes(7, 7));
    set("a/b", Bytes.EMPTY);
    assertThat(get("a/b")).isEqualTo(Bytes.EMPTY);
  }

  @Test
  void only_the_bytes_of_the_value_are_written_not_the_array_around_them() {
    needs(WRITE);
    set("part", ten().slice(2, 3));
    assertThat(get("part")).isEqualTo(bytes(2, 3, 4));
  }

  @Test
  void nothing_is_written_before_a_subscription_and_each_subscription_writes() {
    needs(WRITE);
    Mono<Void> write = store().set(StoreKey.of("a"), bytes(1));
    assertThat(get("a")).isNull();
    await(write);
    assertThat(get("a")).isEqualTo(bytes(1));
    set("a", bytes(2));
    await(write);
    assertThat(get("a")).isEqualTo(bytes(1));
  }

  @Test
  void pieces_make_one_value() {
    needs(WRITE);
    StoreKey key = StoreKey.of("deep/down/pieces");
    Flux<Bytes> pieces = Flux.just(bytes(1, 2), Bytes.EMPTY, ten().slice(3, 4), bytes(9));
    Mono<Void> write = store().set(key, pieces, Precondition.NONE);
    assertThat(get(key.value())).isNull();
    await(write);
    assertThat(get(key.value())).isEqualTo(bytes(1, 2, 3, 4, 5, 6, 9));
    await(store().set(key, Flux.just(bytes(7)), Precondition.NONE));
    assertThat(get(key.value())).isEqualTo(bytes(7));
    await(write);
    assertThat(get(key.value())).isEqualTo(bytes(1, 2, 3, 4, 5, 6, 9));
    await(store().set(key, Flux.empty(), Precondition.NONE));
    assertThat(get(key.value())).isEqualTo(Bytes.EMPTY);
  }

  @Test
  void an_error_of_the_pieces_is_signalled_as_it_is_and_nothing_is_stored() {
    needs(WRITE);
    set("a/pieces", ten());
    RuntimeException error = new IllegalArgumentException("of the source");
    for (String key : List.of("a/pieces", "b/pieces")) {
      Flux<Bytes> pieces = Flux.concat(List.of(Mono.just(bytes(1)), Mono.error(error)));
      assertThat(errorOf(store().set(StoreKey.of(key), pieces, Precondition.NONE))).isSameAs(error);
    }
    assertThat(get("a/pieces")).isEqualTo(ten());
    assertThat(get("b/pieces")).isNull();
  }

  @Test
  void a_cancel_stops_the_pieces_and_leaves_the_old_value() {
    needs(WRITE);
    set("a/pieces", ten());
    Sinks.Empty<Void> reached = Sinks.empty();
    Sinks.Empty<Void> cancelled = Sinks.empty();
    Flux<Bytes> pieces =
        Mono.<Bytes>never()
            .doOnSubscribe(first -> reached.tryEmitEmpty())
            .flux()
            .startWith(bytes(1))
            .doOnCancel(cancelled::tryEmitEmpty);
    await(
        store()
            .set(StoreKey.of("a/pieces"), pieces, Precondition.NONE)
            .takeUntilOther(reached.asMono()));
    await(cancelled.asMono());
    assertThat(get("a/pieces")).isEqualTo(ten());
  }

  @Test
  void pieces_are_stored_on_condition() {
    needs(WRITE, CONDITIONAL_WRITE);
    StoreKey key = StoreKey.of("array/pieces");
    Flux<Bytes> pieces = Flux.just(bytes(1), bytes(2));
    await(store().set(key, pieces, Precondition.ABSENT));
    assertThat(get(key.value())).isEqualTo(bytes(1, 2));
    assertThatThrownBy(() -> await(store().set(key, Flux.just(bytes(3)), Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(get(key.value())).isEqualTo(bytes(1, 2));
  }

  @Test
  void a_value_is_created_only_where_there_is_none() {
    needs(WRITE, CONDITIONAL_WRITE);
    setAbsent("array/zarr.json", bytes(1));
    assertThat(get("array/zarr.json")).isEqualTo(bytes(1));
    assertThatThrownBy(() -> setAbsent("array/zarr.json", bytes(2)))
        .isInstanceOfSatisfying(
            PreconditionFailedException.class,
            error -> assertThat(error.location().storeKey()).endsWith("array/zarr.json"));
    assertThat(get("array/zarr.json")).isEqualTo(bytes(1));
  }

  @Test
  void of_sixteen_concurrent_creations_of_a_value_one_wins() {
    needs(WRITE, CONDITIONAL_WRITE);
    for (int round = 0; round < 8; round++) {
      StoreKey key = StoreKey.of("race/" + round + "/zarr.json");
      List<Integer> winners =
          await(
              Flux.range(0, SETTERS)
                  .flatMap(
                      setter ->
                          store()
                              .set(key, bytes(setter), Precondition.ABSENT)
                              .thenReturn(setter)
                              .onErrorResume(PreconditionFailedException.class, e -> Mono.empty())
                              .subscribeOn(Schedulers.parallel()),
                      SETTERS));
      assertThat(winners).as("winners of round %d", round).hasSize(1);
      assertThat(await(store().get(key))).isEqualTo(bytes(winners.get(0)));
    }
  }

  @Test
  void a_part_is_written_into_a_value() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    set("ten", ten());
    setParts(write("ten", 3, bytes(33, 44)));
    assertThat(get("ten")).isEqualTo(bytes(0, 1, 2, 33, 44, 5, 6, 7, 8, 9));
  }

  @Test
  void a_part_makes_a_short_or_missing_value_grow_with_zeros_between() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    set("short", bytes(1, 2));
    setParts(write("short", 4, bytes(5)), write("missing/value", 2, bytes(3)));
    assertThat(get("short")).isEqualTo(bytes(1, 2, 0, 0, 5));
    assertThat(get("missing/value")).isEqualTo(bytes(0, 0, 3));
  }

  @Test
  void parts_of_one_value_and_of_others_are_written_together() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    set("a", ten());
    setParts(
        write("a", 8, bytes(88, 99, 100)),
        write("b", 0, bytes(1)),
        write("a", 0, bytes(50)),
        write("a", 1, bytes(51)),
        write("b", 1, bytes(2)));
    assertThat(get("a")).isEqualTo(bytes(50, 51, 2, 3, 4, 5, 6, 7, 88, 99, 100));
    assertThat(get("b")).isEqualTo(bytes(1, 2));
  }

  @Test
  void no_parts_to_write_change_nothing() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    setParts();
    assertThat(get("a")).isNull();
  }

  @Test
  void parts_are_written_at_each_subscription_and_not_before() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    Mono<Void> writes = store().setPartialValues(List.of(write("a", 1, bytes(1))));
    assertThat(get("a")).isNull();
    await(writes);
    assertThat(get("a")).isEqualTo(bytes(0, 1));
    set("a", bytes(7, 7, 7));
    await(writes);
    assertThat(get("a")).isEqualTo(bytes(7, 1, 7));
  }

  @Test
  void overlapping_parts_of_one_value_are_refused_at_once() {
    List<KeyStartValue> overlapping =
        List.of(write("a", 0, bytes(1, 2, 3)), write("a", 2, bytes(4)));
    assertThatThrownBy(() -> store().setPartialValues(overlapping))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    assertThat(get("a")).isNull();
  }

  @Test
  void of_sixteen_concurrent_writers_of_parts_none_is_lost() {
    needs(WRITE, VERSIONS, CONDITIONAL_WRITE);
    await(
        Flux.range(0, SETTERS)
            .flatMap(
                setter ->
                    store()
                        .setPartialValues(List.of(write("a", setter, bytes(setter + 1))))
                        .subscribeOn(Schedulers.parallel()),
                SETTERS)
            .then());
    byte[] all = new byte[SETTERS];
    for (int setter = 0; setter < SETTERS; setter++) {
      all[setter] = (byte) (setter + 1);
    }
    assertThat(get("a")).isEqualTo(Bytes.wrap(all));
  }

  private void setParts(KeyStartValue... parts) {
    await(store().setPartialValues(List.of(parts)));
  }

  private static KeyStartValue write(String key, long start, Bytes bytes) {
    return new KeyStartValue(StoreKey.of(key), start, bytes);
  }
}
