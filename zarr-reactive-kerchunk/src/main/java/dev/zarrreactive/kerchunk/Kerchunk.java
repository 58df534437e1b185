package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.virtual.VirtualContainers;
import reactor.core.publisher.Mono;

/**
 * Opens references of kerchunk as stores that are read: the chunks of an array of Zarr lie in files
 * of netCDF, HDF5, GRIB, TIFF or another format, and stay there.
 *
 * <p><b>References.</b> A file of JSON, of version 0 or 1, which may be compressed by zstd or gzip,
 * is read whole when it is opened, and held compactly. Of references in Parquet only the metadata
 * are read then; a record file is read when one of its chunks is asked for, once for all who ask,
 * and kept up to a bound.
 *
 * <p><b>Places.</b> A reference may lead anywhere, so the reader says what it may read: {@link
 * VirtualContainers}. Any other location is an {@link
 * dev.zarrreactive.error.AccessDeniedException}, and no request. A relative URL is below the base
 * of the options; without one it is a key of the store that the references are in, beside them, and
 * needs no permission.
 *
 * <p><b>Stores.</b> They have every capability of reading: listings, ranges and versions. The
 * metadata, and other values that stand in the references, cost no request. Listings tell sizes.
 * The listing of references in Parquet reads every record file below the prefix. Keys are in the
 * order of their UTF-8 bytes in listings of references in JSON. A closed store closes neither the
 * store of the references nor the containers.
 *
 * <p><b>Errors.</b> Wrong references end in a {@link dev.zarrreactive.error.MetadataException} with
 * a JSON pointer, a wrong record file in a {@link StoreException} with its key. What is not
 * supported, and what exceeds a bound of {@link KerchunkOptions}, is an {@link
 * UnsupportedFeatureException} that says what helps.
 *
 * <p><b>Threads.</b> References are parsed by daemon threads of their own, one for each core.
 */
public final class Kerchunk {
  private Kerchunk() {}

  /**
   * Opens the references in a file of JSON, with {@linkplain KerchunkOptions#defaults default
   * options}.
   */
  public static Mono<Store> open(Store store, StoreKey file, VirtualContainers containers) {
    return open(store, file, containers, KerchunkOptions.defaults());
  }

  /**
   * Opens the references in a file of JSON: one request. Each subscription opens them anew; an
   * error where there is no such file.
   *
   * @param store that the file is in
   * @param containers the places that the references may lead to
   */
  public static Mono<Store> open(
      Store store, StoreKey file, VirtualContainers containers, KerchunkOptions options) {
    Location place = Location.ofKey(file.value());
    int slash = file.value().lastIndexOf('/');
    String directory = slash < 0 ? "" : file.value().substring(0, slash);
    return store
        .get(file, ByteRange.whole(options.maxBytes()))
        .switchIfEmpty(Mono.error(() -> missing(store, place)))
        .publishOn(KerchunkThreads.computing())
        .<References>map(
            bytes ->
                KerchunkThreads.guard(
                    place,
                    () ->
                        ReferenceJson.read(
                            Uncompressed.of(bytes, options.maxBytes(), place), options, place)))
        .onErrorMap(ValueTooLargeException.class, e -> tooLarge(e, options, place))
        .map(
            references ->
                new KerchunkStore(
                    "Kerchunk[" + file + " in " + store + "]",
                    references,
                    directory,
                    containers.and(KerchunkUrl.BESIDE, store),
                    options));
  }

  /** Opens references in Parquet, with {@linkplain KerchunkOptions#defaults default options}. */
  public static Mono<Store> open(Store store, StorePrefix directory, VirtualContainers containers) {
    return open(store, directory, containers, KerchunkOptions.defaults());
  }

  /**
   * Opens references in Parquet: one request, for their {@code .zmetadata}. Each subscription opens
   * them anew; an error where there are none.
   *
   * @param store that they are in
   * @param directory the prefix of the {@code .zmetadata} and the record files
   * @param containers the places that the references may lead to
   */
  public static Mono<Store> open(
      Store store, StorePrefix directory, VirtualContainers containers, KerchunkOptions options) {
    return openIfThere(store, directory, containers, options)
        .switchIfEmpty(
            Mono.error(
                () -> missing(store, Location.ofKey(directory.key(ParquetDocument.NAME).value()))));
  }

  /** Opens references in Parquet; empty where there are none. */
  static Mono<Store> openIfThere(
      Store store, StorePrefix directory, VirtualContainers containers, KerchunkOptions options) {
    StoreKey document = directory.key(ParquetDocument.NAME);
    Location place = Location.ofKey(document.value());
    String parent =
        directory.value().isEmpty()
            ? ""
            : directory.value().substring(0, directory.value().length() - 1);
    return store
        .get(document, ByteRange.whole(options.maxBytes()))
        .publishOn(KerchunkThreads.computing())
        .map(
            bytes ->
                KerchunkThreads.guard(place, () -> ParquetDocument.read(bytes, options, place)))
        .onErrorMap(ValueTooLargeException.class, e -> tooLarge(e, options, place))
        .map(
            metadata ->
                new KerchunkStore(
                    "Kerchunk[" + directory + " in " + store + "]",
                    new ParquetReferences(store, directory, metadata, options),
                    parent.substring(0, Math.max(0, parent.lastIndexOf('/'))),
                    containers.and(KerchunkUrl.BESIDE, store),
                    options));
  }

  private static StoreException missing(Store store, Location place) {
    return new StoreException("there are no references to open in " + store, place);
  }

  private static UnsupportedFeatureException tooLarge(
      ValueTooLargeException e, KerchunkOptions options, Location place) {
    return new UnsupportedFeatureException(
        "the references have "
            + (e.size() < 0 ? "more than " + options.maxBytes() : e.size())
            + " bytes, and the options allow "
            + options.maxBytes()
            + "; KerchunkOptions.withMaxBytes raises that for references that you trust",
        place,
        e);
  }
}
