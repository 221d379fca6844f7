"""A trained network as an ONNX file: crops in as uint8, calibrated log-probabilities or log-odds out."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from scanner.training.nets import INPUT_SCALE, INPUT_SHIFT, Net, NetSpec, folded


def export(
    net: Net, spec: NetSpec, scale: NDArray[np.float32], shift: NDArray[np.float32], path: Path, metadata: Mapping[str, str]
) -> None:
    """Write the network with its calibration (logits * scale + shift, both (labels,)) folded into the linear layer.

    Weights are stored as float16, which halves the file and costs nothing that the evaluation shows; the runtime casts them
    to float32 when the model is loaded.
    """
    convs, (weight, bias) = folded(net)
    weights: list[onnx.TensorProto] = []
    nodes: list[onnx.NodeProto] = []

    def constant(name: str, values: NDArray[np.float32]) -> str:
        weights.append(numpy_helper.from_array(values.astype(np.float16), f"{name}.f16"))
        nodes.append(helper.make_node("Cast", [f"{name}.f16"], [name], to=TensorProto.FLOAT))
        return name

    weights += [
        numpy_helper.from_array(np.array(INPUT_SCALE, np.float32), "input.scale"),
        numpy_helper.from_array(np.array(INPUT_SHIFT, np.float32), "input.shift"),
    ]
    nodes += [
        helper.make_node("Cast", ["crops"], ["crops.f32"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["crops.f32", "input.scale"], ["scaled"]),
        helper.make_node("Add", ["scaled", "input.shift"], ["shifted"]),
    ]
    last = "shifted"
    if spec.channels == 1:
        weights.append(numpy_helper.from_array(np.array([1], np.int64), "channel.axis"))
        nodes.append(helper.make_node("Unsqueeze", ["shifted", "channel.axis"], ["x0"]))
        last = "x0"
    for i, (conv, (w, b)) in enumerate(zip(spec.convs, convs, strict=True)):
        inputs = [last, constant(f"w{i}", w.numpy()), constant(f"b{i}", b.numpy())]
        nodes.append(
            helper.make_node("Conv", inputs, [f"c{i}"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[conv.stride] * 2)
        )
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
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="obelisk-scan")
    helper.set_model_props(model, {"labels": json.dumps(list(spec.labels)), **metadata})
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
