package dev.zarrreactive.azure;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectPage;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Requests the pages of a listing. */
final class BlobListing implements ObjectListing.Pages {
  private final ServiceRequests requests;
  private final ServiceSettings settings;

  BlobListing(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<ObjectPage> page(
      StorePrefix prefix, @Nullable String delimiter, @Nullable String token) {
    return list(prefix, delimiter == null ? "" : "&delimiter=%2F", token).map(BlobPage::objects);
  }

  /** Requests a page of all blobs, and of those that have only blocks that no list names. */
  Mono<BlobPage> pageWithUncommitted(@Nullable String token) {
    return list(StorePrefix.ROOT, "&include=uncommittedblobs", token);
  }

  private Mono<BlobPage> list(StorePrefix prefix, String more, @Nullable String token) {
    String objects = settings.names().objects(prefix);
    String query =
        "restype=container&comp=list"
            + (objects.isEmpty() ? "" : "&prefix=" + AzureService.encoded(objects))
            + more
            + (token == null ? "" : "&marker=" + AzureService.encoded(token));
    return requests
        .collect(
            settings.list(prefix, query),
            most -> tooLarge(settings.names().url(prefix), ObjectNames.at(prefix), most))
        .map(body -> parsed(body, prefix))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(prefix), settings.names().url(prefix)));
  }

  private BlobPage parsed(byte[] body, StorePrefix prefix) {
    try {
      return BlobPage.parse(body);
    } catch (XMLStreamException e) {
      throw new StoreException(
          "a page of the listing of "
              + settings.names().url(prefix)
              + " is no listing in XML: "
              + e.getMessage(),
          ObjectNames.at(prefix),
          e);
    }
  }

  /** Returns the error for an answer of more than so many bytes. */
  static StoreException tooLarge(String shown, Location at, int most) {
    return new StoreException(shown + " answered more than " + most + " bytes of XML", at);
  }
}
