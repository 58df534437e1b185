package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.objects.WriteCondition;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The requests of writes. The server checks a condition of any of them: a generation, or 0 for a
 * value that must be missing.
 */
final class GcsWrites implements ObjectWriter.Requests {
  /** The condition that there is no object. */
  private static final String NO_GENERATION = "0";

  private static final String MARK = "x-goog-meta-" + WriteCondition.MARK;

  private static final int NOT_FOUND = 404;
  private static final int PRECONDITION_FAILED = 412;

  private final ServiceRequests requests;
  private final ServiceSettings settings;

  GcsWrites(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  private static Map<String, String> headers(WriteCondition condition) {
    String generation = condition.isAbsent() ? NO_GENERATION : condition.ifMatch();
    return generation == null
        ? Map.of()
        : Map.of(GcsService.IF_GENERATION, generation, MARK, condition.mark());
  }

  @Override
  public Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
    Map<String, String> headers = new LinkedHashMap<>(headers(condition));
    headers.put("content-type", "application/octet-stream");
    return requests.ask(settings.change(HttpMethod.PUT, key, headers, value)).then();
  }

  @Override
  public Mono<ObjectWriter.Stored> look(StoreKey key) {
    return requests.look(
        key, stored -> new ObjectWriter.Stored(Generation.of(stored).number(), stored.get(MARK)));
  }

  /** Returns true for the answer that a condition does not hold. */
  static boolean isOfCondition(ServiceRefusal answer) {
    return answer.status() == PRECONDITION_FAILED;
  }

  @Override
  public Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    return new ResumableUpload(requests, settings, key).upload(parts, headers(condition));
  }

  @Override
  public @Nullable String tag(Version version) {
    return Generation.of(version).number();
  }

  @Override
  public String tagName() {
    return "a generation";
  }

  /** Also 404, which means a missing value. */
  @Override
  public @Nullable String refusal(WriteCondition condition, Throwable error) {
    if (!(error instanceof ServiceRefusal answer)) {
      return null;
    }
    boolean isGone =
        answer.status() == NOT_FOUND
            && condition.ifMatch() != null
            && answer.code().equals("NoSuchKey");
    return isOfCondition(answer) || isGone ? answer.shown() : null;
  }

  @Override
  public Throwable located(StoreKey key, Throwable error) {
    return requests.error(error, ObjectNames.at(key), settings.names().url(key));
  }
}
