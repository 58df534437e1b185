/**
 * Reads of objects without the SDK: requests that are signed here and sent by the engine of the
 * store over HTTP. Internal to this module.
 */
@NullMarked
package dev.zarrreactive.internal.s3.get;

import org.jspecify.annotations.NullMarked;
