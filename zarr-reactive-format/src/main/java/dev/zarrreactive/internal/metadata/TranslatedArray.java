package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * The document of an array of Zarr v2 or of the 2022 draft in the terms of Zarr v3.
 *
 * @param source the document
 * @param attributes the user's attributes
 */
public record TranslatedArray(
    LocatedJson source,
    Shape shape,
    DataType dataType,
    FillValue fillValue,
    NamedConfiguration chunkGrid,
    NamedConfiguration chunkKeyEncoding,
    List<NamedConfiguration> codecs,
    JsonObject attributes) {}
