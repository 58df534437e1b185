package dev.zarrreactive.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.cache.LoadingCache.Answer;
import dev.zarrreactive.internal.cache.LoadingCache.LookUp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Sinks;

/** A cache against a model of what is stored, over random look-ups, answers, cancels and writes. */
class LoadingCachePropertyTest {
  private static final int GROUPS = 3;
  private static final int KEYS = 4;
  private static final long MAX_WEIGHT = 20;

  /** A part of a stored value. */
  private record Key(int group, int part) {}

  /** What was read of it: the number of the write that it is of. */
  private record Value(long write, long weight) {}

  /** One load under way. */
  private static final class Load {
    final Key key;
    final Value read;
    final Sinks.One<Value> answer = Sinks.one();
    final List<Look> looks = new ArrayList<>();
    boolean isOver;
    boolean isCancelled;

    Load(Key key, Value read) {
      this.key = key;
      this.read = read;
    }
  }

  /** One subscriber. */
  private static final class Look {
    @Nullable Value got;
    @Nullable Throwable error;
    Disposable subscription = () -> {};
  }

  private final Generations generations = new Generations();
  private final LoadingCache<Integer, Key, Value> cache =
      new LoadingCache<>(
          MAX_WEIGHT,
          CachePolicy.of(Key::group, Value::weight, UnaryOperator.identity()),
          generations);
  private final long[] writes = new long[GROUPS];
  private final List<Load> loads = new ArrayList<>();

  @Property(tries = 500)
  void a_cache_is_never_too_heavy_nor_stale_and_loads_once(@ForAll long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 150; step++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3, 4 -> lookUp(random);
        case 5, 6 -> end(random, false);
        case 7 -> end(random, true);
        case 8 -> cancel(random);
        default -> write(random.nextInt(GROUPS));
      }
      assertThat(cache.weight()).isBetween(0L, MAX_WEIGHT);
      assertThat(cache.underWay()).isLessThanOrEqualTo(loads.size());
    }
    while (!loads.isEmpty()) {
      end(random, false);
    }
    assertThat(cache.underWay()).isZero();
    for (int group = 0; group < GROUPS; group++) {
      write(group);
    }
    assertThat(cache.size()).isZero();
    assertThat(cache.weight()).isZero();
  }

  private void lookUp(Random random) {
    Key key = new Key(random.nextInt(GROUPS), random.nextInt(KEYS));
    Load[] made = new Load[1];
    LookUp<Value> found =
        cache.lookUp(
            key,
            () -> {
              Load load = new Load(key, new Value(writes[key.group()], 1 + random.nextInt(25)));
              made[0] = load;
              return load.answer
                  .asMono()
                  .doOnCancel(() -> load.isCancelled = true)
                  .doFinally(end -> load.isOver = true);
            });
    Load mine = made[0];
    List<Load> current =
        loads.stream()
            .filter(load -> load.key.equals(key) && load.read.write() == writes[key.group()])
            .toList();
    assertThat(found.answer() == Answer.MISS).isEqualTo(mine != null);
    Look look = new Look();
    switch (found.answer()) {
      case MISS -> {
        assertThat(current).as("loads of the same state").isEmpty();
        mine.looks.add(look);
        loads.add(mine);
      }
      case SHARED -> {
        assertThat(current).as("the load that is joined").hasSize(1);
        current.get(0).looks.add(look);
      }
      case HIT -> {
        assertThat(current).isEmpty();
      }
    }
    look.subscription =
        found.value().subscribe(value -> look.got = value, error -> look.error = error);
    if (found.answer() == Answer.HIT) {
      assertThat(look.got).isNotNull();
      assertThat(look.got.write()).as("the write that is read").isEqualTo(writes[key.group()]);
    }
  }

  private void end(Random random, boolean fails) {
    if (loads.isEmpty()) {
      return;
    }
    Load load = loads.remove(random.nextInt(loads.size()));
    if (fails) {
      load.answer.tryEmitError(new IllegalStateException("it failed")).orThrow();
    } else {
      load.answer.tryEmitValue(load.read).orThrow();
    }
    for (Look look : load.looks) {
      assertThat(look.error != null).isEqualTo(fails);
      assertThat(look.got).isEqualTo(fails ? null : load.read);
    }
    boolean isCurrent = load.read.write() == writes[load.key.group()];
    boolean isKept = !fails && isCurrent && load.read.weight() <= MAX_WEIGHT;
    assertThat(cache.find(load.key) == load.read).isEqualTo(isKept);
  }

  private void cancel(Random random) {
    if (loads.isEmpty()) {
      return;
    }
    Load load = loads.get(random.nextInt(loads.size()));
    Look leaving = load.looks.remove(random.nextInt(load.looks.size()));
    leaving.subscription.dispose();
    assertThat(load.isCancelled).as("the last has left").isEqualTo(load.looks.isEmpty());
    if (load.looks.isEmpty()) {
      loads.remove(load);
      assertThat(load.isOver).isTrue();
    }
  }

  private void write(int group) {
    generations.advance(group);
    cache.removeGroup(group);
    writes[group]++;
    generations.advance(group);
    cache.removeGroup(group);
  }

  /** A state of a stored value, told by a request. */
  private record Told(int state, int askedAt) {}

  private static final class OneState implements CachePolicy<Integer, Key, Told> {
    @Override
    public Integer groupOf(Key key) {
      return key.group();
    }

    @Override
    public long weight(Told value) {
      return 1;
    }

    @Override
    public Told outline(Told value) {
      return value;
    }

    @Override
    public boolean agree(Told one, Told other) {
      return one.state() == other.state();
    }

    @Override
    public boolean isOlder(Told one, Told other) {
      return one.askedAt() < other.askedAt();
    }
  }

  @Property(tries = 500)
  void the_entries_of_a_group_agree_and_the_newest_decides(@ForAll long seed) {
    Random random = new Random(seed);
    LoadingCache<Integer, Key, Told> told = new LoadingCache<>(6, new OneState(), generations);
    Map<Integer, Told> newest = new HashMap<>();
    for (int step = 0; step < 100; step++) {
      Key key = new Key(random.nextInt(GROUPS), random.nextInt(KEYS));
      Told value = new Told(random.nextInt(2), random.nextInt(1_000));
      if (told.latest(key.group()) == null) {
        newest.remove(key.group()); // the entries made room for others
      }
      told.put(key, value, generations.of(key.group()));
      newest.merge(
          key.group(), value, (one, other) -> other.askedAt() < one.askedAt() ? one : other);
      for (int group = 0; group < GROUPS; group++) {
        for (int part = 0; part < KEYS; part++) {
          Told found = told.find(new Key(group, part));
          if (found != null) {
            assertThat(found.state()).isEqualTo(newest.get(group).state());
            assertThat(told.latest(group)).isEqualTo(newest.get(group));
          }
        }
      }
    }
  }

  @Property(tries = 300)
  void what_is_used_again_outlives_a_pass_over_much(@ForAll long seed) {
    Random random = new Random(seed);
    SegmentedLru<Integer, String> lru = new SegmentedLru<>(100);
    lru.put(-1, "used", 1 + random.nextInt(20));
    lru.use(-1);

    assertThat(lru.size()).isEqualTo(1);
    for (int i = 0; i < 200; i++) {
      lru.put(i, "once", 1 + random.nextInt(10));
      for (Integer excess = lru.excess(); excess != null; excess = lru.excess()) {
        assertThat(excess).as("what makes room").isNotEqualTo(-1).isNotEqualTo(i);
        lru.remove(excess);
      }
      assertThat(lru.weight()).isLessThanOrEqualTo(100);
    }
    assertThat(lru.peek(-1)).isEqualTo("used");
    lru.remove(-1);
    for (int i = 0; i < 200; i++) {
      lru.remove(i);
    }
    assertThat(lru.weight()).isZero();
    assertThat(lru.size()).isZero();
  }
}
