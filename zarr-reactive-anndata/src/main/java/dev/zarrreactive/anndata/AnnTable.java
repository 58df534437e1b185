package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.MetadataException;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A table of AnnData: named columns of one length, and a label for each row. Immutable and
 * thread-safe; publishers are as those of {@link AnnData}.
 */
public final class AnnTable {
  private final ZarrGroup group;
  private final AnnColumn labels;
  private final List<String> columns;

  private AnnTable(ZarrGroup group, AnnColumn labels) {
    this.group = group;
    this.labels = labels;
    this.columns = AnnEncoding.texts(group, "column-order");
  }

  /**
   * Opens the table of a group, and the labels of its rows. {@link MetadataException} if the group
   * is no table, or does not name its labels.
   */
  public static Mono<AnnTable> of(ZarrGroup group) {
    return Mono.defer(
        () -> {
          if (!AnnEncoding.of(group).equals("dataframe")) {
            throw AnnEncoding.refused(group, "a table, whose encoding-type is \"dataframe\"");
          }
          return AnnColumn.of(group, AnnEncoding.member(group, "_index").string())
              .map(labels -> new AnnTable(group, labels));
        });
  }

  /** The group of the table. */
  public ZarrGroup group() {
    return group;
  }

  /** The number of rows. */
  public long rows() {
    return labels.rows();
  }

  /** The labels of the rows, which pandas calls the index. */
  public AnnColumn labels() {
    return labels;
  }

  /** The names of the columns in their order, without that of the labels. */
  public List<String> columns() {
    return columns;
  }

  /**
   * Opens a column. {@link dev.zarrreactive.error.NodeNotFoundException} if there is none, {@link
   * MetadataException} if its parts contradict each other or it has another length than the table,
   * {@link dev.zarrreactive.error.UnsupportedFeatureException} for an unknown encoding.
   */
  public Mono<AnnColumn> column(String name) {
    return AnnColumn.of(group, name)
        .doOnNext(
            column -> {
              if (column.rows() != rows()) {
                throw new MetadataException(
                    "the column \""
                        + name
                        + "\" has "
                        + column.rows()
                        + " rows, and the table "
                        + rows(),
                    AnnEncoding.location(group));
              }
            });
  }
}
