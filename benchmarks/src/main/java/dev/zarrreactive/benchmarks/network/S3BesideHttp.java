package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * Reads of one public bucket over S3 and over HTTP, in turns in one JVM: the time over S3 ÷ the
 * time over HTTP. Arguments: the URL of a server of S3, its access key and its secret key. A server
 * checks signatures, which takes its time: small values are read over HTTP with a signature too,
 * which is made once. Without arguments the server is in this JVM and ignores signatures: the
 * difference is that of the clients.
 */
public final class S3BesideHttp {
  private static final String BUCKET = "beside";
  private static final String ARRAY = "zstd";
  private static final StoreKey SMALL = StoreKey.of("small");
  private static final int EDGE = 256;
  private static final int CHUNK = 64;
  private static final int GETS = 400;
  private static final int AT_ONCE = 16;

  private static final String POLICY =
      """
      {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ["*"]},
       "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::beside/*"]}]}
      """;

  private S3BesideHttp() {}

  /** Prints a table: a row for each work, a column for each way. */
  public static void main(String[] arguments) {
    if (arguments.length == 0) {
      MemoryStore values = MemoryStore.create();
      fill(Stores.prefixed(values, StorePrefix.of(BUCKET + "/")));
      try (FaultyServer server = FaultyServer.of(values)) {
        compare(server.uri(), "none", "none");
      }
    } else {
      URI server = URI.create(arguments[0]);
      create(server, arguments[1], arguments[2]);
      S3Store bucket =
          S3Store.at(BUCKET).endpoint(server).credentials(arguments[1], arguments[2]).open();
      fill(bucket);
      bucket.close().block();
      compare(server, arguments[1], arguments[2]);
    }
  }

  private static void compare(URI server, String user, String secret) {
    System.setProperty("aws.accessKeyId", user);
    System.setProperty("aws.secretAccessKey", secret);
    int warmUp = Integer.getInteger("zarr.beside.warm-up", 40);
    int times = Integer.getInteger("zarr.beside.times", 15);
    StoreOptions options = StoreOptions.none().with("endpoint", server.toString());
    Map<String, Store> ways = new LinkedHashMap<>();
    String url = server.resolve("/" + BUCKET).toString();
    ways.put("HTTP", opened(url, StoreOptions.none()));
    ways.put("S3", opened("s3://" + BUCKET, options));
    ways.put("S3 unsigned", opened("s3://" + BUCKET, options.with("anonymous", "true")));
    // a proxy for another scheme is not used, and leaves the reads to the SDK
    System.setProperty("https.proxyHost", "nowhere.invalid");
    ways.put("S3 by the SDK", opened("s3://" + BUCKET, options.with("resumes", "4")));
    Map<String, Store> ofSmall = new LinkedHashMap<>(ways);
    ofSmall.put("HTTP, one signature", opened(url, signed(server, user, secret)));
    compare(ofSmall, smallWorks(), warmUp, times);
    Map<String, ZarrArray> arrays = new LinkedHashMap<>();
    ways.forEach(
        (name, store) ->
            arrays.put(
                name, Objects.requireNonNull(Zarr.hierarchy(store).openArray(ARRAY).block())));
    compare(arrays, works(), warmUp, times);
    ofSmall.values().forEach(store -> store.close().block());
  }

  /** Returns headers that sign a read of the small value for a quarter of an hour. */
  private static StoreOptions signed(URI server, String user, String secret) {
    SdkHttpRequest read =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(server.resolve("/" + BUCKET + "/" + SMALL.value()))
            .build();
    StoreOptions options = StoreOptions.none();
    for (Map.Entry<String, List<String>> header :
        AwsV4HttpSigner.create()
            .sign(
                request ->
                    request
                        .identity(AwsBasicCredentials.create(user, secret))
                        .request(read)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false))
            .request()
            .headers()
            .entrySet()) {
      if (!header.getKey().equalsIgnoreCase("Host")) {
        options = options.with("header." + header.getKey(), header.getValue().get(0));
      }
    }
    return options;
  }

  private static void create(URI server, String user, String secret) {
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .endpointOverride(server)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(user, secret)))
            .build()) {
      boolean isThere =
          client.listBuckets().join().buckets().stream().anyMatch(b -> b.name().equals(BUCKET));
      if (!isThere) {
        client.createBucket(request -> request.bucket(BUCKET)).join();
      }
      client.putBucketPolicy(request -> request.bucket(BUCKET).policy(POLICY)).join();
    }
  }

  /** Opens a store and reads a value that may be missing: the first read finds its way. */
  private static Store opened(String url, StoreOptions options) {
    Store store = Objects.requireNonNull(Zarr.at(url).withStoreOptions(options).store().block());
    var unused = store.get(SMALL).onErrorComplete().block();
    return store;
  }

  private static void fill(Store store) {
    byte[] bytes = new byte[2 * EDGE * EDGE * EDGE];
    Random random = new Random(1);
    for (int i = 0; i < bytes.length; i += 2) {
      int value = (i / 512) % 2000 + random.nextInt(16);
      bytes[i] = (byte) value;
      bytes[i + 1] = (byte) (value >> 8);
    }
    Shape shape = Shape.of(EDGE, EDGE, EDGE);
    store.set(SMALL, Bytes.wrap(new byte[4096])).block();
    Zarr.hierarchy(store)
        .createArray(
            ARRAY,
            ArrayMetadata.v3(shape, DataTypes.UINT16).chunkShape(CHUNK, CHUNK, CHUNK).build())
        .flatMap(
            array ->
                array.write(
                    Selection.all(), NdArray.wrap(DataTypes.UINT16, shape, Bytes.wrap(bytes))))
        .block();
  }

  private static <T> void compare(
      Map<String, T> ways, Map<String, Function<T, Mono<?>>> works, int warmUp, int times) {
    for (Map.Entry<String, Function<T, Mono<?>>> work : works.entrySet()) {
      Map<String, List<Double>> taken = new LinkedHashMap<>();
      for (int turn = -warmUp; turn < times; turn++) {
        for (Map.Entry<String, T> way : ways.entrySet()) {
          double millis = Stopwatch.once(work.getValue().apply(way.getValue()));
          if (turn >= 0) {
            taken.computeIfAbsent(way.getKey(), name -> new ArrayList<>()).add(millis);
          }
        }
      }
      print(work.getKey(), taken);
    }
  }

  private static void print(String work, Map<String, List<Double>> taken) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-28s", work));
    double first = 0;
    for (Map.Entry<String, List<Double>> way : taken.entrySet()) {
      double median =
          Stopwatch.median(way.getValue().stream().mapToDouble(Double::doubleValue).toArray());
      first = first == 0 ? median : first;
      row.append(
          String.format(Locale.ROOT, " | %s %.2f ms, %.2f", way.getKey(), median, median / first));
    }
    System.out.println(row);
  }

  private static Map<String, Function<Store, Mono<?>>> smallWorks() {
    Map<String, Function<Store, Mono<?>>> works = new LinkedHashMap<>();
    works.put(
        "400 small values, 16 at once",
        store -> Flux.range(0, GETS).flatMap(i -> store.get(SMALL), AT_ONCE).then());
    works.put(
        "400 ranges, 16 at once",
        store ->
            Flux.range(0, GETS)
                .flatMap(i -> store.get(SMALL, new ByteRange.Slice(i, 1000)), AT_ONCE)
                .then());
    works.put(
        "100 small values, one by one",
        store -> Flux.range(0, GETS / 4).concatMap(i -> store.get(SMALL)).then());
    return works;
  }

  private static Map<String, Function<ZarrArray, Mono<?>>> works() {
    Map<String, Function<ZarrArray, Mono<?>>> works = new LinkedHashMap<>();
    works.put(
        "12-chunk slice",
        array -> array.read(Selection.box(new long[] {30, 30, 30}, new long[] {70, 70, 150})));
    works.put(
        "64 slices at once",
        array ->
            Flux.range(0, 64)
                .flatMap(
                    i -> {
                      int at = i * 3;
                      return array.read(
                          Selection.box(new long[] {at, at, at}, new long[] {8, 8, 8}));
                    },
                    64)
                .then());
    works.put("full read", array -> array.read(Selection.all()));
    return works;
  }
}
