"""A trained network as an ONNX file: crops in as uint8, calibrated log-probabilities or log-odds out."""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from scanner.training.nets import INPUT_SCALE, INPUT_ZERO, Net, NetSpec, folded

_EXAMPLES_AT_ONCE = 256


def export(
    net: Net,
    spec: NetSpec,
    scale: NDArray[np.float32],
    shift: NDArray[np.float32],
    path: Path,
    metadata: Mapping[str, str],
    examples: NDArray[np.uint8],
) -> None:
    """Write the network with its calibration (logits * scale + shift, both (labels,)) folded into the linear layer.

    Weights are stored as float16, which halves the file and costs nothing that the evaluation shows; the runtime casts them
    to float32 when the model is loaded. Convolutions of a network of 8 bits have integers for weights and activations, whose
    ranges are those that the `examples`, crops, take.
    """
    model = _graph(net, spec, scale, shift, half=not spec.eight_bits)
    helper.set_model_props(model, {"labels": json.dumps(list(spec.labels)), **metadata})
    onnx.checker.check_model(model)
    path.write_bytes(_in_eight_bits(model, examples) if spec.eight_bits else model.SerializeToString())


def _graph(net: Net, spec: NetSpec, scale: NDArray[np.float32], shift: NDArray[np.float32], *, half: bool) -> onnx.ModelProto:
    convs, (weight, bias) = folded(net)
    weights: list[onnx.TensorProto] = []
    nodes: list[onnx.NodeProto] = []

    def constant(name: str, values: NDArray[np.float32]) -> str:
        if half:
            weights.append(numpy_helper.from_array(values.astype(np.float16), f"{name}.f16"))
            nodes.append(helper.make_node("Cast", [f"{name}.f16"], [name], to=TensorProto.FLOAT))
        else:
            weights.append(numpy_helper.from_array(values, name))
        return name

    weights += [
        numpy_helper.from_array(np.array(INPUT_SCALE, np.float32), "input.scale"),
        numpy_helper.from_array(np.array(INPUT_ZERO, np.uint8), "input.zero"),
    ]
    nodes.append(helper.make_node("DequantizeLinear", ["crops", "input.scale", "input.zero"], ["scaled"]))
    last = "scaled"
    if spec.channels == 1:
        weights.append(numpy_helper.from_array(np.array([1], np.int64), "channel.axis"))
        nodes.append(helper.make_node("Unsqueeze", ["scaled", "channel.axis"], ["x0"]))
        last = "x0"
    for i, (conv, (w, b)) in enumerate(zip(spec.convs, convs, strict=True)):
        inputs = [last, constant(f"w{i}", w.numpy()), constant(f"b{i}", b.numpy())]
        sizes = {"kernel_shape": conv.kernel, "pads": conv.padding * 2, "strides": conv.stride}
        nodes.append(helper.make_node("Conv", inputs, [f"c{i}"], **sizes))
        nodes.append(helper.make_node("Relu", [f"c{i}"], [f"r{i}"]))
        last = f"r{i}"
        if conv.pool:
            nodes.append(helper.make_node("MaxPool", [last], [f"p{i}"], kernel_shape=[2, 2], strides=[2, 2]))
            last = f"p{i}"
    nodes.append(helper.make_node("Flatten", [last], ["flat"], axis=1))
    calibrated_weight = weight.numpy() * scale[:, None]
    calibrated_bias = bias.numpy() * scale + shift
    inputs = ["flat", constant("w", calibrated_weight), constant("b", calibrated_bias)]
    out = "log_odds" if len(spec.labels) == 1 else "logits"
    nodes.append(helper.make_node("Gemm", inputs, [out], transB=1))
    if len(spec.labels) > 1:
        nodes.append(helper.make_node("LogSoftmax", ["logits"], ["log_probabilities"], axis=1))
        out = "log_probabilities"
    channels = [spec.channels] if spec.channels > 1 else []
    graph = helper.make_graph(
        nodes,
        "obelisk-scan",
        [helper.make_tensor_value_info("crops", TensorProto.UINT8, ["crops", *channels, *spec.size])],
        [helper.make_tensor_value_info(out, TensorProto.FLOAT, ["crops", len(spec.labels)])],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="obelisk-scan")


def _in_eight_bits(model: onnx.ModelProto, examples: NDArray[np.uint8]) -> bytes:
    """The model's bytes with its convolutions in integers.

    Weights keep to 7 of their 8 bits: processors without instructions of their own for this add two products in 16 bits, which
    would overflow, and give other readings than those that have them.
    """
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

    class Reader(CalibrationDataReader):
        def __init__(self) -> None:
            self.batches = iter(np.array_split(examples, -(-len(examples) // _EXAMPLES_AT_ONCE)))

        def get_next(self) -> dict[str, Any] | None:
            batch = next(self.batches, None)
            return None if batch is None else {"crops": batch}

    with TemporaryDirectory() as folder:
        plain, quantised = Path(folder, "plain.onnx"), Path(folder, "quantised.onnx")
        plain.write_bytes(model.SerializeToString())
        quantize_static(
            plain,
            quantised,
            Reader(),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "Relu", "MaxPool"],
        )
        return quantised.read_bytes()
