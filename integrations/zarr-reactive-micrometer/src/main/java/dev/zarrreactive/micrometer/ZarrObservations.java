package dev.zarrreactive.micrometer;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Observes each operation on a node as {@code zarr.operation}, and in it each request to the store
 * as {@code zarr.store.request}. With a tracer's handler in the registry these become spans.
 *
 * <p>The parent is the observation in the subscriber's context, under the key {@code
 * micrometer.observation}, which Reactor, Spring and reactor-netty use, too. Without one it is the
 * current observation of the subscribing thread. The observation of a request is put into the
 * context of its upstream, for example an HTTP client. Keys and paths are values of high
 * cardinality. Thread-safe.
 */
public final class ZarrObservations implements ZarrObserver {
  /**
   * The value of {@code ObservationThreadLocalAccessor.KEY}, whose class needs one library more.
   */
  static final String KEY = "micrometer.observation";

  private final ObservationRegistry registry;
  private final Map<ZarrOperation, Observation> operations = new ConcurrentHashMap<>();
  private final Map<StoreRequest, Observation> requests = new ConcurrentHashMap<>();

  private ZarrObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  /** Creates observations in {@code registry}, for {@code ZarrOptions.withObserver}. */
  public static ZarrObservations of(ObservationRegistry registry) {
    return new ZarrObservations(registry);
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    String kind = TagValue.of(operation.kind());
    Observation observation =
        in(subscriber, "zarr.operation")
            .contextualName("zarr " + kind)
            .lowCardinalityKeyValue("operation", kind)
            .highCardinalityKeyValue("zarr.path", operation.path());
    return started(operations, operation, observation);
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    end(operations.remove(operation), outcome.kind(), outcome.error());
  }

  @Override
  public ContextView onStart(StoreRequest request, ContextView subscriber) {
    String kind = TagValue.of(request.operation());
    Observation observation =
        in(subscriber, "zarr.store.request")
            .contextualName("zarr store " + kind)
            .lowCardinalityKeyValue("operation", kind)
            .highCardinalityKeyValue("zarr.store.target", request.target());
    ByteRange range = request.range();
    if (range != null) {
      observation.highCardinalityKeyValue("zarr.store.range", range.toString());
    }
    return started(requests, request, observation);
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    Observation observation = requests.remove(request);
    if (observation != null) {
      observation.highCardinalityKeyValue("zarr.store.bytes", Long.toString(outcome.bytes()));
    }
    end(observation, outcome.kind(), outcome.error());
  }

  private Observation in(ContextView subscriber, String name) {
    Observation observation = Observation.createNotStarted(name, registry);
    Observation parent = subscriber.hasKey(KEY) ? subscriber.get(KEY) : null;
    return parent == null ? observation : observation.parentObservation(parent);
  }

  /** Returns the observations with a new one. A disabled observation must not hide its parent. */
  private static <K> ContextView started(Map<K, Observation> all, K key, Observation observation) {
    if (observation.isNoop()) {
      return Context.empty();
    }
    all.put(key, observation.start());
    return Context.of(KEY, observation);
  }

  private static void end(
      @Nullable Observation observation, Enum<?> outcome, @Nullable Throwable error) {
    if (observation == null) {
      return;
    }
    observation.lowCardinalityKeyValue("outcome", TagValue.of(outcome));
    if (error != null) {
      observation.error(error);
    }
    observation.stop();
  }
}
