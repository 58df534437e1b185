package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** Who is served when many ask for many things. */
class TurnsTest {
  private final Turns turns = new Turns();

  private List<String> served(Stream<Turns.Turn> waiting, String... names) {
    List<Turns.Turn> all = waiting.toList();
    return all.stream().sorted().map(turn -> names[all.indexOf(turn)]).toList();
  }

  @Test
  void askers_take_turns_however_much_one_asks_for() {
    List<String> order =
        served(
            Stream.of("a", "a", "a", "b", "b", "c").map(turns::turn),
            "a1",
            "a2",
            "a3",
            "b1",
            "b2",
            "c1");
    assertThat(order).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void who_comes_late_is_in_the_round_that_is_being_served() {
    Turns.Turn a1 = turns.turn("a");
    Turns.Turn a2 = turns.turn("a");
    Turns.Turn a3 = turns.turn("a");
    Turns.Turn a4 = turns.turn("a");
    turns.served(a1);
    turns.served(a2);
    Turns.Turn late = turns.turn("late");
    assertThat(served(Stream.of(a3, a4, late), "a3", "a4", "late"))
        .containsExactly("late", "a3", "a4");
  }

  @Test
  void who_has_left_has_lost_nothing_for_the_next_time() {
    turns.left(turns.turn("a"));
    Turns.Turn b = turns.turn("b");
    Turns.Turn a = turns.turn("a");
    Turns.Turn a2 = turns.turn("a");
    assertThat(served(Stream.of(b, a, a2), "b", "a", "a2")).containsExactly("b", "a", "a2");
  }

  @Test
  void a_small_operation_does_not_wait_for_all_of_a_large_one() {
    List<String> asked = new ArrayList<>();
    List<Sinks.Empty<Bytes>> answers = new ArrayList<>();
    Store server =
        new AbstractStore() {
          @Override
          public Set<StoreCapability> capabilities() {
            return Set.of(StoreCapability.READ);
          }

          @Override
          public Mono<Bytes> get(StoreKey key) {
            return Mono.defer(
                () -> {
                  asked.add(key.value());
                  Sinks.Empty<Bytes> answer = Sinks.empty();
                  answers.add(answer);
                  return answer.asMono();
                });
          }
        };
    Store limited = Stores.limited(server, 2);
    Disposable large = operation(limited, "large", 100);
    Disposable small = operation(limited, "small", 2);
    for (int i = 0; i < 6; i++) {
      answers.get(i).tryEmitEmpty();
    }
    assertThat(asked.subList(0, 7)).contains("small/0", "small/1").contains("large/2", "large/3");
    large.dispose();
    small.dispose();
  }

  private static Disposable operation(Store store, String name, int requests) {
    return Flux.range(0, requests)
        .flatMap(i -> store.get(StoreKey.of(name + "/" + i)), 64)
        .contextWrite((Context context) -> RequestLimit.asOperation(context))
        .subscribe();
  }
}
