package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.UnfinishedUploads;
import dev.zarrreactive.internal.objects.XmlElements;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequest;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The requests for blobs that have blocks, and no list of them. */
final class UncommittedBlobs implements UnfinishedUploads.Requests<UncommittedBlobs.Upload> {
  private static final int AT_A_TIME = 8;
  private static final String BLOCKS = "comp=blocklist";

  private final ServiceRequests requests;
  private final ServiceSettings settings;
  private final BlobListing listing;

  UncommittedBlobs(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
    this.listing = new BlobListing(requests, settings);
  }

  /** A blob that has only blocks. */
  record Upload(String name, Instant begun, long bytes) {}

  /** Looks at each blob without a byte: the listing does not tell those with blocks from others. */
  @Override
  public Flux<Upload> uploads() {
    Flux<BlobPage.Blob> blobs =
        listing
            .pageWithUncommitted(null)
            .expand(
                page ->
                    page.next() == null ? Mono.empty() : listing.pageWithUncommitted(page.next()))
            .concatMapIterable(BlobPage::blobs)
            .filter(blob -> blob.size() <= 0);
    return Concurrently.map(blobs, AT_A_TIME, this::upload);
  }

  private Mono<Upload> upload(BlobPage.Blob blob) {
    ServiceRequest request =
        request(HttpMethod.GET, blob.name(), BLOCKS + "&blocklisttype=all", Map.of(), null);
    return requests
        .collect(request, most -> BlobListing.tooLarge(request.shown(), request.at(), most))
        .mapNotNull(body -> parsed(body, blob))
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && answer.status() == 404, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  /** Returns the upload; null for a value, and for blocks whose age nothing tells. */
  private @Nullable Upload parsed(byte[] body, BlobPage.Blob blob) {
    try {
      XMLStreamReader xml = XmlElements.open(body, "BlockList");
      Blocks blocks = new Blocks();
      while (XmlElements.next(xml)) {
        switch (xml.getLocalName()) {
          case "CommittedBlocks" -> blocks.isCommitted |= blocks.read(xml) > 0;
          case "UncommittedBlocks" -> blocks.uncommitted += blocks.read(xml);
          default -> XmlElements.skip(xml);
        }
      }
      xml.close();
      Instant begun = blocks.begun == null ? blob.modified() : blocks.begun;
      return blocks.isCommitted || blocks.uncommitted == 0 || begun == null
          ? null
          : new Upload(blob.name(), begun, blocks.bytes);
    } catch (XMLStreamException e) {
      throw new StoreException(
          "the list of the blocks of "
              + settings.names().container()
              + blob.name()
              + " is none in XML: "
              + e.getMessage(),
          Location.UNKNOWN,
          e);
    }
  }

  private static final class Blocks {
    private int uncommitted;
    private boolean isCommitted;
    private long bytes;

    /** The latest begin; null where no block tells one. */
    private @Nullable Instant begun;

    int read(XMLStreamReader xml) throws XMLStreamException {
      int count = 0;
      while (XmlElements.next(xml)) {
        if (xml.getLocalName().equals("Block")) {
          block(xml);
          count++;
        } else {
          XmlElements.skip(xml);
        }
      }
      return count;
    }

    private void block(XMLStreamReader xml) throws XMLStreamException {
      while (XmlElements.next(xml)) {
        switch (xml.getLocalName()) {
          case "Name" -> {
            Instant time = BlockIds.begun(XmlElements.text(xml));
            if (time != null && (begun == null || time.isAfter(begun))) {
              begun = time;
            }
          }
          case "Size" -> bytes += XmlElements.number(xml, "Size");
          default -> XmlElements.skip(xml);
        }
      }
    }
  }

  @Override
  public String object(Upload upload) {
    return upload.name();
  }

  @Override
  public Instant begun(Upload upload) {
    return upload.begun();
  }

  @Override
  public Mono<Long> bytes(Upload upload) {
    return Mono.just(upload.bytes());
  }

  /**
   * Discards the blocks: a list without blocks makes an empty value, where there is none, and an
   * erasure of that one value removes it. A writer that goes on with the upload then fails: its
   * blocks are gone.
   */
  @Override
  public Mono<Upload> discard(Upload upload) {
    ServiceRequest empty =
        request(
            HttpMethod.PUT,
            upload.name(),
            BLOCKS,
            Map.of("if-none-match", "*", "content-type", "application/xml"),
            List.of(Bytes.utf8("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList/>")));
    return requests
        .ask(empty)
        .flatMap(
            answer -> {
              String tag = answer.responseHeaders().get("etag");
              Map<String, String> headers = tag == null ? Map.of() : Map.of("if-match", tag);
              return requests.ask(
                  request(HttpMethod.DELETE, upload.name(), null, headers, List.of()));
            })
        .map(answer -> upload)
        .onErrorResume(UncommittedBlobs::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  /** Returns true for an upload that has ended since it was listed. */
  private static boolean saysEnded(Throwable error) {
    return error instanceof ServiceRefusal answer
        && (answer.status() == 404 || answer.status() == 409 || answer.status() == 412);
  }

  private ServiceRequest request(
      HttpMethod method,
      String name,
      @Nullable String query,
      Map<String, String> headers,
      @Nullable List<Bytes> content) {
    Url url = settings.object(name);
    return new ServiceRequest(
        method,
        query == null ? url : url.withQuery(query),
        Location.UNKNOWN,
        settings.names().container() + name,
        headers,
        content);
  }

  private Throwable located(Throwable error) {
    return requests.error(error, Location.UNKNOWN, settings.names().url(StorePrefix.ROOT));
  }
}
