package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.PartedUpload;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.objects.WriteCondition;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The requests of a write: a block blob with one request, or blocks and a list of them. The server
 * checks a condition either way.
 */
final class BlobWrites implements ObjectWriter.Requests, PartedUpload.Requests<BlockIds, String> {
  private static final String CONTENT = "application/octet-stream";
  private static final String MARK = "x-ms-meta-" + WriteCondition.MARK;

  private final ServiceRequests requests;
  private final ServiceSettings settings;
  private final PartedUpload<BlockIds, String> blocks = new PartedUpload<>(this);

  BlobWrites(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
    Map<String, String> headers = headers(condition);
    headers.put("x-ms-blob-type", "BlockBlob");
    headers.put("content-type", CONTENT);
    return requests.ask(settings.change(HttpMethod.PUT, key, headers, value)).then();
  }

  private static Map<String, String> headers(WriteCondition condition) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (condition.ifMatch() != null) {
      headers.put("if-match", condition.ifMatch());
    }
    if (condition.isAbsent()) {
      headers.put("if-none-match", "*");
    }
    if (!condition.isNone()) {
      headers.put(MARK, condition.mark());
    }
    return headers;
  }

  @Override
  public Mono<ObjectWriter.Stored> look(StoreKey key) {
    return requests.look(
        key, stored -> new ObjectWriter.Stored(stored.get(HttpHeaderNames.ETAG), stored.get(MARK)));
  }

  @Override
  public Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    return blocks.upload(key, parts, condition);
  }

  /** Begins an upload without a request. */
  @Override
  public Mono<BlockIds> begin(StoreKey key, WriteCondition condition) {
    return Mono.fromSupplier(BlockIds::next);
  }

  @Override
  public Mono<String> send(StoreKey key, BlockIds upload, ValuePart part) {
    String id = upload.of(part.number());
    String query = "comp=block&blockid=" + AzureService.encoded(id);
    return requests
        .ask(settings.change(HttpMethod.PUT, key, Map.of(), part.pieces()).withQuery(query))
        .thenReturn(id);
  }

  /** Ends an upload. A repeat after an answer that was lost finds the blocks in the value. */
  @Override
  public Mono<Void> end(StoreKey key, BlockIds upload, List<String> ids, WriteCondition condition) {
    Map<String, String> headers = headers(condition);
    headers.put("x-ms-blob-content-type", CONTENT);
    headers.put("content-type", "application/xml");
    String list =
        ids.stream()
            .map(id -> "<Latest>" + id + "</Latest>")
            .collect(
                Collectors.joining(
                    "", "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>", "</BlockList>"));
    return requests
        .ask(
            settings
                .change(HttpMethod.PUT, key, headers, List.of(Bytes.utf8(list)))
                .withQuery("comp=blocklist"))
        .then();
  }

  /** Leaves the blocks: the service has no request that removes them alone. */
  @Override
  public Mono<Void> discard(StoreKey key, BlockIds upload) {
    return Mono.empty();
  }

  @Override
  public @Nullable String tag(Version version) {
    return ObjectVersion.of(version).strong();
  }

  @Override
  public String tagName() {
    return "a strong ETag";
  }

  /**
   * Returns the answer that the condition does not hold. A value that exists is 409, and a list of
   * blocks that another writer has replaced is 400.
   */
  @Override
  public @Nullable String refusal(WriteCondition condition, Throwable error) {
    if (!(error instanceof ServiceRefusal answer)) {
      return null;
    }
    boolean fails =
        switch (answer.code()) {
          case "ConditionNotMet", "BlobAlreadyExists", "InvalidBlockList" -> true;
          case "BlobNotFound" -> condition.ifMatch() != null;
          default -> answer.status() == 412 && answer.code().isEmpty();
        };
    return fails ? answer.shown() : null;
  }

  @Override
  public Throwable located(StoreKey key, Throwable error) {
    return requests.error(error, ObjectNames.at(key), settings.names().url(key));
  }
}
