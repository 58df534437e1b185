import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.internal.metadata.DocumentTranslator;

/**
 * The format: JSON, metadata, data types, chunk grids, selections, arrays in memory, and the
 * interfaces of codecs. Nothing here reads or writes a store.
 */
@SuppressWarnings("module")
module dev.zarrreactive.format {
  requires transitive dev.zarrreactive.base;
  requires com.fasterxml.jackson.core;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.array;
  exports dev.zarrreactive.array.selection;
  exports dev.zarrreactive.chunkgrid;
  exports dev.zarrreactive.chunkkey;
  exports dev.zarrreactive.codec;
  exports dev.zarrreactive.datatype;
  exports dev.zarrreactive.extension;
  exports dev.zarrreactive.json;
  exports dev.zarrreactive.metadata;
  exports dev.zarrreactive.internal.element to
      dev.zarrreactive.codecs,
      dev.zarrreactive.cf,
      dev.zarrreactive.dataset,
      dev.zarrreactive.numcodecs;
  exports dev.zarrreactive.internal.metadata to
      dev.zarrreactive.copy,
      dev.zarrreactive.drafts;

  uses CodecProvider;
  uses DocumentTranslator;
}
