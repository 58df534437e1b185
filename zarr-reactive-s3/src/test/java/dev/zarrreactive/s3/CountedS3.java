package dev.zarrreactive.s3;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.CountedPools;
import dev.zarrreactive.faults.server.FaultyServer;
import io.netty.channel.pool.ChannelPool;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.internal.SdkChannelPool;
import software.amazon.awssdk.http.nio.netty.internal.SdkChannelPoolMap;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricCollector;

/** Stores over S3 with counted connections, of the SDK and of reads without it. */
final class CountedS3 {
  private static final Duration ANSWER = Duration.ofMillis(200);

  private final List<SdkAsyncHttpClient> clients = new CopyOnWriteArrayList<>();
  private final CountedPools pools = new CountedPools(false);

  private CountedS3() {}

  static Connected store(
      FaultyServer server,
      String bucket,
      Duration stallTimeout,
      UnaryOperator<S3StoreBuilder> settings) {
    CountedS3 counted = new CountedS3();
    S3StoreBuilder builder =
        S3Store.at(bucket)
            .endpoint(server.uri())
            .stallTimeout(stallTimeout)
            .with(
                client -> {
                  client.http = counted::counted;
                  client.readCounter = counted.pools;
                });
    return new Connected(settings.apply(builder).open(), counted::busy);
  }

  private SdkAsyncHttpClient counted(SdkAsyncHttpClient client) {
    clients.add(client);
    return client;
  }

  private int busy() {
    int ofTheSdk =
        clients.stream()
            .flatMap(client -> pools(client).values().stream())
            .mapToInt(CountedS3::busy)
            .sum();
    return ofTheSdk + pools.busy();
  }

  /** Counts the connections in use, and the requests for one. */
  private static int busy(ChannelPool pool) {
    MetricCollector collector = MetricCollector.create("pool");
    try {
      ((SdkChannelPool) pool)
          .collectChannelPoolMetrics(collector)
          .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return 0; // before there is a first connection the SDK waits for it, or fails with it
    } catch (InterruptedException e) {
      throw new AssertionError("the pool does not tell what it has", e);
    }
    MetricCollection metrics = collector.collect();
    return metrics.metricValues(HttpMetric.LEASED_CONCURRENCY).get(0)
        + metrics.metricValues(HttpMetric.PENDING_CONCURRENCY_ACQUIRES).get(0);
  }

  /** The SDK tells of its pools only when a call is over, which here may be never. */
  private static Map<?, ? extends ChannelPool> pools(SdkAsyncHttpClient client) {
    try {
      Field pools = NettyNioAsyncHttpClient.class.getDeclaredField("pools");
      pools.setAccessible(true);
      return ((SdkChannelPoolMap<?, ?>) pools.get(client)).pools();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("the SDK keeps its pools elsewhere", e);
    }
  }
}
