package dev.zarrreactive.webflux;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service over a branch to which months of five arrays are appended, each by one commit. */
class FollowedBranchServiceTest {
  private static final List<String> ARRAYS = List.of("time", "t2m", "rain", "wind", "snow");
  private static final int DAYS = 30;
  private static final int READERS = 20;
  private static final int MONTHS = 8;

  @TempDir Path directory;

  /** Opens five arrays for one response. */
  @RestController
  static class Lengths {
    private final ZarrHierarchy zarr;

    Lengths(ZarrHierarchy zarr) {
      this.zarr = zarr;
    }

    @GetMapping("/lengths")
    Mono<String> lengths() {
      return Flux.fromIterable(ARRAYS)
          .concatMap(
              name ->
                  zarr.openArray("d/" + name)
                      .flatMap(
                          array ->
                              array
                                  .read("-1,0")
                                  .map(last -> array.shape().extent(0) + ":" + last.getInt())))
          .collectList()
          .map(all -> String.join(" ", all));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class More {
    @Bean
    Lengths lengths(ZarrHierarchy zarr) {
      return new Lengths(zarr);
    }
  }

  private static NdArray month(int month) {
    int[] values = new int[DAYS * 4];
    Arrays.fill(values, month);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(DAYS, 4), values);
  }

  @BeforeEach
  void write() {
    IcechunkRepository repository = await(Icechunk.create(FileSystemStore.open(directory)));
    IcechunkSession session = await(repository.session("main"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    for (String name : ARRAYS) {
      NdArray data = month(0);
      await(
          hierarchy
              .createArray(
                  "d/" + name,
                  ArrayMetadata.v3(data.shape(), DataTypes.INT32).chunkShape(7, 4).build())
              .flatMap(array -> array.write("...", data)));
    }
    await(session.commit("month 0"));
  }

  private void append(int month) {
    IcechunkRepository repository = await(Icechunk.open(FileSystemStore.open(directory)));
    IcechunkSession session = await(repository.session("main"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    for (String name : ARRAYS) {
      await(hierarchy.openArray("d/" + name).flatMap(array -> array.append(0, month(month))));
    }
    await(session.commit("month " + month));
  }

  private static String lengths(HttpClient client, int port) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/lengths")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String all(int months) {
    String one = months * DAYS + ":" + (months - 1);
    return String.join(" ", ARRAYS.stream().map(any -> one).toList());
  }

  @Test
  void no_response_has_arrays_of_unequal_lengths_while_months_are_appended() throws Exception {
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", directory + "|icechunk:"), More.class)) {
      int port = SliceService.port(service);
      HttpClient client = HttpClient.newHttpClient();
      AtomicBoolean isDone = new AtomicBoolean();
      Set<String> seen = new ConcurrentSkipListSet<>();
      ExecutorService readers = Executors.newFixedThreadPool(READERS);
      try {
        List<Future<?>> reading = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          reading.add(
              readers.submit(
                  () -> {
                    while (!isDone.get()) {
                      seen.add(lengths(client, port));
                    }
                    return null;
                  }));
        }
        for (int month = 1; month < MONTHS; month++) {
          append(month);
          assertThat(lengths(client, port)).as("after its commit").isEqualTo(all(month + 1));
        }
        isDone.set(true);
        for (Future<?> each : reading) {
          each.get();
        }
      } finally {
        isDone.set(true);
        readers.shutdown();
      }
      Set<String> whole = new TreeSet<>();
      for (int months = 1; months <= MONTHS; months++) {
        whole.add(all(months));
      }
      assertThat(whole).containsAll(seen);
    }
  }
}
