package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.UnfinishedUploads;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequest;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The requests for multipart uploads that were begun and never ended. This library begins none in
 * Google's service; programs that speak S3 to it do, and pay for their parts.
 */
final class GcsUploads implements UnfinishedUploads.Requests<UploadsXml.Upload> {
  private final ServiceRequests requests;
  private final ServiceSettings settings;

  GcsUploads(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Flux<UploadsXml.Upload> uploads() {
    return page(null)
        .expand(page -> page.next() == null ? Mono.empty() : page(page.next()))
        .concatMapIterable(UploadsXml.Page::uploads);
  }

  private Mono<UploadsXml.Page> page(UploadsXml.@Nullable Marker marker) {
    String prefix = settings.names().prefix();
    ServiceRequest request =
        settings.list(
            StorePrefix.ROOT,
            "uploads"
                + (prefix.isEmpty() ? "" : "&prefix=" + encoded(prefix))
                + (marker == null
                    ? ""
                    : "&key-marker="
                        + encoded(marker.key())
                        + "&upload-id-marker="
                        + encoded(marker.upload())));
    return requests
        .collect(request, most -> violation("of more than " + most + " bytes", null))
        .map(body -> parsed(body, read -> UploadsXml.page(read, marker)))
        .onErrorMap(this::located);
  }

  private static String encoded(String text) {
    return Url.encode(text).replace("/", "%2F");
  }

  /** Reads an answer in XML. */
  private interface Parser<T> {
    T parse(byte[] body) throws XMLStreamException;
  }

  private <T> T parsed(byte[] body, Parser<T> parser) {
    try {
      return parser.parse(body);
    } catch (XMLStreamException e) {
      throw violation("that is none in XML: " + e.getMessage(), e);
    }
  }

  private StoreException violation(String found, @Nullable Exception cause) {
    String statement =
        settings.names().url(StorePrefix.ROOT) + " answered a list of uploads " + found;
    return cause == null
        ? new StoreException(statement, Location.UNKNOWN)
        : new StoreException(statement, Location.UNKNOWN, cause);
  }

  @Override
  public String object(UploadsXml.Upload upload) {
    return upload.object();
  }

  @Override
  public Instant begun(UploadsXml.Upload upload) {
    return upload.begun();
  }

  @Override
  public Mono<Long> bytes(UploadsXml.Upload upload) {
    return parts(upload, null)
        .expand(page -> page.next() == null ? Mono.empty() : parts(upload, page.next()))
        .map(UploadsXml.Parts::bytes)
        .reduce(Long::sum);
  }

  private Mono<UploadsXml.Parts> parts(UploadsXml.Upload upload, @Nullable Long marker) {
    return requests
        .collect(
            request(
                HttpMethod.GET,
                upload,
                marker == null ? "" : "&part-number-marker=" + marker,
                null),
            most -> violation("of more than " + most + " bytes", null))
        .map(body -> parsed(body, read -> UploadsXml.parts(read, marker)))
        .onErrorResume(GcsUploads::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  @Override
  public Mono<UploadsXml.Upload> discard(UploadsXml.Upload upload) {
    return requests
        .ask(request(HttpMethod.DELETE, upload, "", List.of()))
        .map(answer -> upload)
        .onErrorResume(GcsUploads::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  /** Returns true for an upload that has ended since it was listed. */
  private static boolean saysEnded(Throwable error) {
    return error instanceof ServiceRefusal answer
        && answer.isMissing()
        && answer.code().equals("NoSuchUpload");
  }

  private ServiceRequest request(
      HttpMethod method, UploadsXml.Upload upload, String more, @Nullable List<Bytes> content) {
    return new ServiceRequest(
        method,
        settings.object(upload.object()).withQuery("uploadId=" + encoded(upload.id()) + more),
        Location.UNKNOWN,
        settings.names().container() + upload.object(),
        Map.of(),
        content);
  }

  private Throwable located(Throwable error) {
    return requests.error(error, Location.UNKNOWN, settings.names().url(StorePrefix.ROOT));
  }
}
