package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectPage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The pages of the listing of a bucket. */
final class GcsPages implements ObjectListing.Pages {
  /** A page has a thousand names of at most a kilobyte, with as much around each. */
  private static final int MOST_READ = 32 << 20;

  private final GcsRequests requests;
  private final GcsSettings settings;

  GcsPages(GcsRequests requests, GcsSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<ObjectPage> page(
      StorePrefix prefix, @Nullable String delimiter, @Nullable String token) {
    String query =
        "list-type=2&prefix="
            + encoded(settings.names().objects(prefix))
            + (delimiter == null ? "" : "&delimiter=" + encoded(delimiter))
            + (token == null ? "" : "&continuation-token=" + encoded(token));
    String shown = settings.names().url(prefix);
    GcsRequest request =
        GcsRequest.read(
            HttpMethod.GET, settings.bucket(query), ObjectNames.at(prefix), shown, Map.of());
    return requests
        .ask(request, (response, body) -> collect(body, prefix))
        .map(body -> parsed(body, prefix))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(prefix), shown));
  }

  private static String encoded(String text) {
    return Url.encode(text).replace("/", "%2F");
  }

  private Mono<byte[]> collect(Flux<ByteBuf> body, StorePrefix prefix) {
    return Mono.defer(
        () -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          return body.doOnNext(
                  part -> {
                    if (part.readableBytes() > MOST_READ - all.size()) {
                      throw violation(prefix, "is larger than " + MOST_READ + " bytes", null);
                    }
                    byte[] bytes = new byte[part.readableBytes()];
                    part.getBytes(part.readerIndex(), bytes);
                    all.writeBytes(bytes);
                  })
              .then(Mono.fromSupplier(all::toByteArray));
        });
  }

  private ObjectPage parsed(byte[] body, StorePrefix prefix) {
    try {
      return ListingXml.parse(body);
    } catch (XMLStreamException e) {
      throw violation(prefix, "is no listing in XML: " + e.getMessage(), e);
    }
  }

  private StoreException violation(StorePrefix prefix, String found, @Nullable Exception cause) {
    String statement = "a page of the listing of " + settings.names().url(prefix) + " " + found;
    return cause == null
        ? new StoreException(statement, ObjectNames.at(prefix))
        : new StoreException(statement, ObjectNames.at(prefix), cause);
  }
}
