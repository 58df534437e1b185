package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A program that measures small reads of one object of fake-gcs-server by {@code GcsStore}, with a
 * token and without, beside {@code HttpStore}: in rounds in turns, the median of the ratios. An
 * argument sets the number of rounds.
 */
final class SmallGetFigures {
  private static final int READS = 400;
  private static final StoreKey KEY = StoreKey.of("a/c/0");

  private SmallGetFigures() {}

  public static void main(String... arguments) {
    int rounds = arguments.length == 0 ? 21 : Integer.parseInt(arguments[0]);
    try (FakeGcsServer server = FakeGcsServer.start()) {
      String bucket = server.newBucket();
      for (int size : new int[] {500, 10_000}) {
        server.put(bucket, KEY.value(), new byte[size]);
        URI plain = URI.create(server.emulator() + "/" + bucket);
        Map<String, Store> stores = new TreeMap<>();
        stores.put("HttpStore", HttpStore.at(plain).open());
        stores.put("GcsStore", GcsStore.at(bucket).endpoint(server.emulator()).open());
        stores.put(
            "GcsStore with a token",
            GcsStore.at(bucket)
                .endpoint(server.emulator())
                .bearerToken(Mono.just("of-tests"))
                .open());
        for (int together : new int[] {1, 16}) {
          compare(stores, size, together, rounds);
        }
        stores.values().forEach(store -> await(store.close()));
      }
    }
    System.exit(0);
  }

  private static void compare(Map<String, Store> stores, int size, int together, int rounds) {
    Map<String, double[]> times = new TreeMap<>();
    for (int round = -rounds / 2; round < rounds; round++) { // the first ones warm up
      for (Map.Entry<String, Store> each : stores.entrySet()) {
        double micros = micros(each.getValue(), together);
        if (round >= 0) {
          times.computeIfAbsent(each.getKey(), name -> new double[rounds])[round] = micros;
        }
      }
    }
    double[] plain = times.get("HttpStore");
    times.forEach(
        (name, own) -> {
          double[] ratios = new double[rounds];
          Arrays.setAll(ratios, round -> own[round] / plain[round]);
          Arrays.sort(ratios);
          System.out.printf(
              Locale.ROOT,
              "%d bytes, %d at a time, %s: %.0f µs, %.2f (%.2f to %.2f)%n",
              size,
              together,
              name,
              Arrays.stream(own).sorted().toArray()[rounds / 2],
              ratios[rounds / 2],
              ratios[rounds / 4],
              ratios[3 * rounds / 4]);
        });
  }

  private static double micros(Store store, int together) {
    long start = System.nanoTime();
    await(Flux.range(0, READS).flatMap(i -> store.get(KEY), together).then());
    return (System.nanoTime() - start) / 1_000.0 / READS;
  }
}
