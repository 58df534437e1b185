package dev.zarrreactive.flink;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.RowType;

/**
 * The connector {@code zarr} of Apache Flink: {@code CREATE TABLE t (…) WITH ('connector' = 'zarr',
 * 'location' = '…')}. The rows are the cells of a dataset or an array; {@code docs/flink.md} has
 * the options. A query reads metadata where it is planned, on the thread that plans it. The class
 * is public for Flink only.
 */
public final class ZarrTableFactory implements DynamicTableSourceFactory {
  /** Called by Flink. */
  public ZarrTableFactory() {}

  @Override
  public String factoryIdentifier() {
    return "zarr";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(SourceOptions.LOCATION);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return new LinkedHashSet<>(SourceOptions.optional());
  }

  /**
   * Opens the store at its version of now, and compares the declared columns with the dataset.
   *
   * @throws IllegalArgumentException for a wrong option, a secret, or a column that the dataset
   *     lacks or has of another type
   * @throws dev.zarrreactive.error.ZarrException if the metadata cannot be read
   */
  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    helper.validateExcept(SourceOptions.BEGINNINGS);
    RowType declared = (RowType) context.getPhysicalRowDataType().getLogicalType();
    ZarrTable table =
        ZarrTable.open(
            SourceOptions.of(helper.getOptions(), context.getCatalogTable().getOptions()),
            declared);
    return new ZarrTableSource(table, declared.getFieldNames(), table.selected());
  }
}
