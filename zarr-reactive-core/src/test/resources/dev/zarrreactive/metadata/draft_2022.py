import os
os.environ["ZARR_V3_EXPERIMENTAL_API"]="1"; os.environ["ZARR_V3_SHARDING"]="1"
import zarr, numpy as np, numcodecs, json
print(zarr.__version__)
from zarr._storage.v3 import DirectoryStoreV3
from zarr._storage.v3_storage_transformers import ShardingStorageTransformer
st=DirectoryStoreV3("/tmp/d22/store")
def c(path,a,chunks=None,**k):
    try:
        z=zarr.create(shape=a.shape,chunks=chunks or a.shape,dtype=a.dtype,store=st,path=path,zarr_version=3,**k)
        z[...]=a
        np.ascontiguousarray(z[...]).tofile("/tmp/d22/%s.bin"%path.replace("/","_"))
    except Exception as e: print("FAIL",path,type(e),e)
zarr.group(store=st,zarr_version=3)
c("shard",np.arange(60,dtype='<i4').reshape(6,10),(2,5),storage_transformers=[ShardingStorageTransformer("indexed",chunks_per_shard=(2,2))],compressor=numcodecs.GZip(1))
c("shardf",np.arange(63,dtype='<f8').reshape(7,9),(2,3),storage_transformers=[ShardingStorageTransformer("indexed",chunks_per_shard=(2,1))],compressor=numcodecs.Zstd(1),order="F",fill_value=7)
c("cplx",(np.arange(6)+1j).astype('<c16').reshape(2,3),(2,2),fill_value=0)
c("dt",np.array(['2020-01-01','NaT','1999-12-31T10:00'],dtype='<M8[ns]'))
c("s3",np.array([b'a',b'bcd',b''],dtype='S3'))
c("u3",np.array(['a','bcé',''],dtype='<U3'))
c("v3",np.array([b'abc',b'def'],dtype='V3'))
st_=np.zeros(3,dtype=[('a','<i2'),('b','>f4')]); st_['a']=[1,2,3]; st_['b']=[.5,1.5,2.5]
c("struct",st_)
c("scalar",np.array(5,dtype='>i4'),())
c("nullfill",np.arange(4,dtype='>f8'),(3,),fill_value=None)
c("nan",np.arange(4,dtype='<f4'),(3,),fill_value=np.nan)
c("inf",np.arange(4,dtype='<f4'),(3,),fill_value=np.inf)
c("delta",np.arange(10,dtype='<i8'),(4,),filters=[numcodecs.Delta('<i8')],compressor=numcodecs.Blosc())
c("dots",np.arange(6,dtype='u1').reshape(2,3),(1,2),dimension_separator='.')
c("lz4",np.arange(100,dtype='<u2'),(50,),compressor=numcodecs.LZ4()) 
c("lzma",np.arange(100,dtype='<u2'),(50,),compressor=numcodecs.LZMA()) 
c("bz2",np.arange(100,dtype='<u2'),(50,),compressor=numcodecs.BZ2()) 
c("a/b/deep",np.arange(3,dtype='i1'))
c("empty",np.zeros((0,3),dtype='<i4'),(1,3))
c("f16",np.arange(3,dtype='<f2'))
c("bool",np.array([True,False]))
try: zarr.consolidate_metadata(st,zarr_version=3) if False else zarr.convenience.consolidate_metadata(st, path='')
except Exception as e: print("consol",type(e),e)
ro=DirectoryStoreV3("/tmp/d22/root-array")
z=zarr.create(shape=(3,4),chunks=(2,3),dtype='<i2',store=ro,zarr_version=3,order='F',compressor=None)
z[...]=np.arange(12).reshape(3,4); z.attrs['a']=1
g=zarr.open_group(store=st,path='a',zarr_version=3,mode='r+') if False else None
