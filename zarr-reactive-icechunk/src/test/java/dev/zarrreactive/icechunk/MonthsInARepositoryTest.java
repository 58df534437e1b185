package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewDataset;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A dataset of five arrays is written, appended to and changed, each by one commit. */
class MonthsInARepositoryTest {
  private static final int DAYS = 30;
  private static final List<String> ARRAYS = List.of("time", "t2m", "rain", "wind", "snow");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  private static NewDataset month(int month) {
    NewDataset dataset =
        Dataset.builder()
            .coordinate(
                "time",
                IntStream.range(month * DAYS, (month + 1) * DAYS)
                    .mapToObj(day -> START.plus(Duration.ofDays(day)))
                    .toList());
    for (String name : ARRAYS.subList(1, ARRAYS.size())) {
      dataset = dataset.variable(name, List.of("time", "x"), values(month));
    }
    return dataset;
  }

  private static NdArray values(int month) {
    return NdArray.ofDoubles(
        Shape.of(DAYS, 2), IntStream.range(0, DAYS * 2).mapToDouble(i -> month + i).toArray());
  }

  private static Mono<Store> main(IcechunkRepository repository) {
    return repository.refresh().flatMap(now -> now.store(IcechunkVersion.MAIN));
  }

  private static Mono<List<Long>> lengths(Store version) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(version);
    return Flux.fromIterable(ARRAYS)
        .concatMap(name -> hierarchy.openArray("d/" + name))
        .map(array -> array.metadata().shape().extent(0))
        .collectList();
  }

  private static List<Long> all(long length) {
    return ARRAYS.stream().map(name -> length).toList();
  }

  private static List<String> messages(IcechunkRepository repository) {
    return await(
        repository
            .refresh()
            .flatMapMany(now -> now.history(IcechunkVersion.MAIN))
            .map(IcechunkSnapshot::message)
            .collectList());
  }

  private static IcechunkRepository withJanuary(Store place) {
    IcechunkRepository repository = await(Icechunk.create(place));
    IcechunkSession session = await(repository.session("main"));
    await(month(0).write(Zarr.hierarchy(session), "d"));
    await(session.commit("month 0"));
    return repository;
  }

  /** What one reader has seen: the lengths of all arrays, and those of the dataset. */
  private static Mono<List<Long>> reading(IcechunkRepository repository) {
    return main(repository)
        .flatMap(
            version ->
                lengths(version)
                    .flatMap(
                        seen ->
                            Dataset.open(Zarr.hierarchy(version), "d")
                                .doOnNext(
                                    dataset ->
                                        assertThat(dataset.sizes())
                                            .containsEntry("time", seen.get(0)))
                                .thenReturn(seen)));
  }

  @Test
  void no_reader_sees_arrays_of_unequal_lengths_while_months_are_appended() {
    int months = 8;
    IcechunkRepository repository = withJanuary(FileSystemStore.open(directory));
    AtomicBoolean isDone = new AtomicBoolean();
    Mono<List<List<Long>>> readers =
        Flux.range(0, 20)
            .flatMap(
                reader ->
                    Mono.defer(() -> reading(repository))
                        .subscribeOn(Schedulers.parallel())
                        .repeat(() -> !isDone.get()),
                20)
            .distinct()
            .collectList();
    Mono<Void> writer =
        Flux.range(1, months - 1)
            .concatMap(
                number ->
                    repository
                        .refresh()
                        .flatMap(now -> now.session("main"))
                        .flatMap(
                            session ->
                                month(number)
                                    .appendTo(Zarr.hierarchy(session), "d", "time")
                                    .then(Mono.defer(() -> reading(repository)))
                                    .doOnNext(
                                        seen ->
                                            assertThat(seen)
                                                .as("before the commit")
                                                .isEqualTo(all((long) DAYS * number)))
                                    .then(Mono.defer(() -> session.commit("month " + number)))))
            .then()
            .doFinally(signal -> isDone.set(true));
    List<List<Long>> seen = await(Mono.zip(readers, writer.thenReturn(true))).getT1();
    assertThat(seen)
        .isNotEmpty()
        .allSatisfy(
            each -> {
              assertThat(each).as("equal lengths").isEqualTo(all(each.get(0)));
              assertThat(each.get(0) % DAYS).as("whole months").isZero();
            });
    assertThat(await(reading(repository))).isEqualTo(all((long) DAYS * months));
    assertThat(messages(repository)).hasSize(months + 1).startsWith("month " + (months - 1));
    Dataset dataset = await(Dataset.open(Zarr.hierarchy(await(main(repository))), "d"));
    for (int number = 0; number < months; number++) {
      NdArray read =
          await(
              dataset
                  .variable("snow")
                  .array()
                  .read(number * DAYS + ":" + (number + 1) * DAYS + ",:"));
      assertThat(read.toDoubleArray()).containsExactly(values(number).toDoubleArray());
    }
  }

  @Test
  void a_part_of_two_variables_is_changed_by_one_commit() {
    IcechunkRepository repository = withJanuary(MemoryStore.create());
    IcechunkSession session = await(repository.refresh().flatMap(now -> now.session("main")));
    Dataset dataset = await(Dataset.open(Zarr.hierarchy(session), "d"));
    NdArray rows = NdArray.ofDoubles(Shape.of(2, 2), -1, -2, -3, -4);
    for (String name : List.of("t2m", "wind")) {
      await(dataset.variable(name).array().write(Selection.parse("3:5,:"), rows));
    }
    assertThat(await(dataset.variable("t2m").array().read("3:5,:")).toDoubleArray())
        .as("in the session")
        .containsExactly(-1, -2, -3, -4);
    Dataset before = await(Dataset.open(Zarr.hierarchy(await(main(repository))), "d"));
    assertThat(await(before.variable("t2m").array().read("3:4,:")).toDoubleArray())
        .containsExactly(6, 7);
    await(session.commit("corrected"));
    Dataset after = await(Dataset.open(Zarr.hierarchy(await(main(repository))), "d"));
    for (String name : List.of("t2m", "wind")) {
      assertThat(await(after.variable(name).array().read("2:6,:")).toDoubleArray())
          .containsExactly(4, 5, -1, -2, -3, -4, 10, 11);
    }
    assertThat(messages(repository))
        .containsExactly("corrected", "month 0", "Repository initialized");
  }

  @Test
  void a_discarded_append_leaves_the_dataset_as_it_was() {
    IcechunkRepository repository = withJanuary(MemoryStore.create());
    IcechunkSession session = await(repository.refresh().flatMap(now -> now.session("main")));
    await(month(1).appendTo(Zarr.hierarchy(session), "d", "time"));
    assertThat(await(lengths(session))).isEqualTo(all(2 * DAYS));
    await(session.discard());
    assertThat(await(reading(repository))).isEqualTo(all(DAYS));
    assertThat(messages(repository)).containsExactly("month 0", "Repository initialized");
  }

  @Test
  void a_month_is_appended_as_the_page_shows_it() {
    IcechunkRepository repository = withJanuary(MemoryStore.create());
    NewDataset february = month(1);
    // docs: icechunk-dataset
    Mono<String> snapshot =
        repository
            .refresh()
            .flatMap(now -> now.session("main"))
            .flatMap(
                session ->
                    february
                        .appendTo(Zarr.hierarchy(session), "d", "time")
                        .then(Mono.defer(() -> session.commit("February"))));
    // docs: end
    assertThat(await(snapshot)).hasSize(20);
    assertThat(await(reading(repository))).isEqualTo(all(2 * DAYS));
    assertThat(messages(repository)).startsWith("February", "month 0");
  }
}
