package dev.zarrreactive.webflux;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.web.server.NotAcceptableStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes a table as CSV, as lines of JSON, or as a list of JSON. */
final class DatasetTableWriter implements HttpMessageWriter<DatasetTable> {
  private static final MediaType CSV = new MediaType("text", "csv");

  /** A cell counts as much among the bytes of a slice. */
  private static final int CELL = 8;

  private final ArraySliceWriter slices;

  /**
   * Creates a writer.
   *
   * @param slices bounds the size and the number of what is sent
   */
  DatasetTableWriter(ArraySliceWriter slices) {
    this.slices = slices;
  }

  @Override
  public List<MediaType> getWritableMediaTypes() {
    return List.of(CSV, MediaType.APPLICATION_NDJSON, MediaType.APPLICATION_JSON);
  }

  @Override
  public boolean canWrite(ResolvableType type, @Nullable MediaType mediaType) {
    return type.toClass() == DatasetTable.class
        && (mediaType == null
            || getWritableMediaTypes().stream().anyMatch(mediaType::isCompatibleWith));
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends DatasetTable> tables,
      ResolvableType type,
      @Nullable MediaType mediaType,
      ReactiveHttpOutputMessage message,
      Map<String, Object> hints) {
    return Flux.<DatasetTable>from(tables)
        .singleOrEmpty()
        .flatMap(
            table -> {
              MediaType chosen = mediaType == null ? CSV : mediaType;
              DatasetTable.Form form = form(chosen);
              long columns = table.columns().size() * (long) CELL;
              long rows = table.rowCount();
              long size = rows > Long.MAX_VALUE / columns ? Long.MAX_VALUE : rows * columns;
              message
                  .getHeaders()
                  .setContentType(
                      form == DatasetTable.Form.CSV
                          ? new MediaType(CSV, StandardCharsets.UTF_8)
                          : form == DatasetTable.Form.LINES
                              ? MediaType.APPLICATION_NDJSON
                              : MediaType.APPLICATION_JSON);
              return message.writeWith(
                  slices.admitted(size, DataBuffers.of(table.text(form), message.bufferFactory())));
            });
  }

  private DatasetTable.Form form(MediaType type) {
    if (type.isCompatibleWith(CSV)) {
      return DatasetTable.Form.CSV;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_NDJSON)) {
      return DatasetTable.Form.LINES;
    } else if (type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
      return DatasetTable.Form.LIST;
    }
    throw new NotAcceptableStatusException(getWritableMediaTypes());
  }
}
