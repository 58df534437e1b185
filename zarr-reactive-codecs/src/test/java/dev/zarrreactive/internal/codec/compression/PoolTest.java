package dev.zarrreactive.internal.codec.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {
  private final AtomicInteger made = new AtomicInteger();
  private final Set<Integer> discarded = ConcurrentHashMap.newKeySet();
  private final Pool<Integer> pool = new Pool<>(2, made::incrementAndGet, discarded::add);

  private Integer use() {
    return pool.with(one -> one);
  }

  private List<Integer> useThree() {
    return pool.with(a -> pool.with(b -> pool.with(c -> List.of(a, b, c))));
  }

  @Test
  void one_use_after_the_other_shares_one() {
    assertThat(use()).isEqualTo(1);
    assertThat(use()).isEqualTo(1);
    assertThat(discarded).isEmpty();
  }

  @Test
  void uses_at_the_same_time_have_one_each_and_what_is_too_many_is_discarded() {
    assertThat(useThree()).containsExactly(1, 2, 3);
    assertThat(discarded).as("1 came back last").containsExactly(1);
    assertThat(useThree()).containsExactly(2, 3, 4);
  }

  @Test
  void one_comes_back_where_its_use_fails() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                pool.with(
                    one -> {
                      throw new IllegalStateException("in use " + one);
                    }));
    assertThat(use()).isEqualTo(1);
  }

  @Test
  void no_two_threads_ever_have_the_same_one() throws Exception {
    Set<Integer> inUse = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        results.add(
            threads.submit(
                () -> {
                  int clashes = 0;
                  for (int i = 0; i < 20_000; i++) {
                    clashes +=
                        pool.with(
                            one -> {
                              boolean alone = inUse.add(one);
                              Thread.onSpinWait();
                              inUse.remove(one);
                              return alone ? 0 : 1;
                            });
                  }
                  return clashes;
                }));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(made.get() - discarded.size()).as("kept").isBetween(1, 2);
  }
}
