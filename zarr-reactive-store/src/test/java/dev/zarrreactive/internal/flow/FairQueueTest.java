package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.flow.AsyncSemaphore.FairQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The order in which the entries of several operations are served. */
class FairQueueTest {
  private static FairQueue<String, String> queue(String... entries) {
    FairQueue<String, String> queue = new FairQueue<>();
    for (String entry : entries) {
      queue.add(entry.substring(0, 1), entry);
    }
    return queue;
  }

  private static List<String> served(FairQueue<String, String> queue) {
    List<String> served = new ArrayList<>();
    for (String next = queue.poll(); next != null; next = queue.poll()) {
      served.add(next);
    }
    return served;
  }

  @Test
  void operations_take_turns_however_many_permits_one_requests() {
    assertThat(served(queue("a1", "a2", "a3", "b1", "b2", "c1")))
        .containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void a_late_operation_waits_for_one_entry_of_each_other() {
    FairQueue<String, String> queue = queue("a1", "a2", "a3", "a4");
    queue.poll();
    queue.add("l", "late");
    assertThat(served(queue)).containsExactly("a2", "late", "a3", "a4");
  }

  @Test
  void an_operation_that_is_passed_over_keeps_its_entries() {
    FairQueue<String, String> queue = queue("a1", "a2", "b1", "b2");
    queue.pass("a");
    assertThat(served(queue)).containsExactly("b1", "a1", "b2", "a2");
  }

  @Test
  void an_entry_that_leaves_takes_no_turn() {
    FairQueue<String, String> queue = queue("a1", "a2", "b1");
    assertThat(queue.remove("a", "a1")).isTrue();
    assertThat(queue.remove("a", "a1")).isFalse();
    assertThat(queue.peek("a")).isEqualTo("a2");
    queue.removeAll("b");
    assertThat(queue.isWaiting("b")).isFalse();
    assertThat(queue.size()).isEqualTo(1);
    assertThat(served(queue)).containsExactly("a2");
    assertThat(queue.size()).isZero();
  }

  /** While an entry of an operation waits, no other operation is served twice before it. */
  @Property(tries = 300)
  void every_operation_has_its_turn_before_another_has_two(@ForAll long seed) {
    Random random = new Random(seed);
    FairQueue<Integer, List<Integer>> queue = new FairQueue<>();
    Map<Integer, List<List<Integer>>> model = new HashMap<>();
    Map<Integer, List<Integer>> servedSince = new HashMap<>(); // by the operation that waits
    for (int step = 0; step < 200; step++) {
      int operation = random.nextInt(5);
      List<List<Integer>> line = model.computeIfAbsent(operation, any -> new ArrayList<>());
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          List<Integer> entry = List.of(operation, step);
          queue.add(operation, entry);
          line.add(entry);
          servedSince.putIfAbsent(operation, new ArrayList<>());
        }
        case 2 -> {
          if (!line.isEmpty()) {
            List<Integer> leaving = line.remove(random.nextInt(line.size()));
            assertThat(queue.remove(operation, leaving)).isTrue();
            if (line.isEmpty()) {
              servedSince.remove(operation);
            }
          }
        }
        default -> {
          List<Integer> served = queue.poll();
          if (served == null) {
            assertThat(model.values()).allMatch(List::isEmpty);
            continue;
          }
          int its = served.get(0);
          List<List<Integer>> itsLine = Objects.requireNonNull(model.get(its));
          assertThat(itsLine.remove(0)).as("the first of its operation").isEqualTo(served);
          servedSince.remove(its);
          servedSince.values().forEach(others -> others.add(its));
          assertThat(servedSince.values())
              .allSatisfy(others -> assertThat(others).doesNotHaveDuplicates());
          if (!itsLine.isEmpty()) {
            servedSince.put(its, new ArrayList<>());
          }
        }
      }
      assertThat(queue.size()).isEqualTo(model.values().stream().mapToInt(List::size).sum());
    }
  }
}
