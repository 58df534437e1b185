package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectPage;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The pages of the listing of a bucket. */
final class GcsPages implements ObjectListing.Pages {
  private final ServiceRequests requests;
  private final ServiceSettings settings;

  GcsPages(ServiceRequests requests, ServiceSettings settings) {
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
    return requests
        .collect(
            settings.list(prefix, query),
            most -> violation(prefix, "is larger than " + most + " bytes", null))
        .map(body -> parsed(body, prefix))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(prefix), shown));
  }

  private static String encoded(String text) {
    return Url.encode(text).replace("/", "%2F");
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
